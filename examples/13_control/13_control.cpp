// SPDX-License-Identifier: BSL-1.0
// 13  Learning in a control loop: a robot's joint gets to know its own arm while it moves.
//
// Problem   A joint follows a path q(t). A PD controller alone lags behind: it acts only once there is an
//           error. With the torque that the path needs, there would be none; but mass, friction and load are
//           not known.
// Idea      Feedback-error learning (Kawato, Furukawa and Suzuki, 1987): a network adds a torque from the
//           path alone, and what the PD controller still has to add is its error.
// Formula   torque = kp e + kd e' + net(q, q', q''),   L = -(kp e + kd e') net(q, q', q'')
// Here      One step of training for each millisecond of the loop, on one sample: its result is the torque.
//           After 30 seconds the arm grips a load of its own weight; nobody tells the network.
// Real time A step takes a few microseconds and allocates nothing, which the program counts.
// Try       a rate of 1e-4: it learns faster, and runs away under the load; another load; a network that does
//           not see the position, and so knows nothing of gravity.
#include <tapeless/tapeless.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <random>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

// Every allocation of this program is counted.
static long allocations = 0;
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

constexpr auto model = [] {
  auto path = tl::input<"path", float, 1, 3>;  // position, speed, acceleration: all extents are known here
  auto feedback = tl::input<"feedback", float>;
  auto h = tl::tanh(tl::linear<"fc2", 16>(tl::tanh(tl::linear<"fc1", 16>(path))));
  auto torque = 10_c * tl::sum(tl::linear<"out", 1>(h));
  return tl::outputs(-feedback * torque, tl::named<"torque">(torque));
};

struct arm {
  double mass = 1, length = 0.5, position = 0, speed = 0;
  void move(double torque, double dt) {
    const double inertia = mass * length * length + 0.02;
    const double friction = 0.3 * speed + 0.8 * std::tanh(speed / 0.05);
    const double gravity = 9.81 * mass * length * std::sin(position);
    speed += dt * (torque - friction - gravity) / inertia;
    position += dt * speed;
  }
};

struct target {
  double q, v, a;
};
target path(double t) {  // a slow and a fast sine, from rest
  const double w1 = 1.7, w2 = 4.1, start = 1 - std::exp(-t * t), d_start = 2 * t * std::exp(-t * t);
  const double s = 0.8 * std::sin(w1 * t) + 0.4 * std::sin(w2 * t);
  const double v = 0.8 * w1 * std::cos(w1 * t) + 0.4 * w2 * std::cos(w2 * t);
  const double a = -0.8 * w1 * w1 * std::sin(w1 * t) - 0.4 * w2 * w2 * std::sin(w2 * t);
  const double dd_start = (2 - 4 * t * t) * std::exp(-t * t);
  return {start * s, start * v + d_start * s, start * a + 2 * d_start * v + dd_start * s};
}

constexpr double dt = 1e-3;
constexpr int ticks = 60'000, grip = 30'000;

// The error of each tick, in degrees. `learned` gives the torque that is added.
template <class Learned>
std::vector<double> drive(Learned learned) {
  std::vector<double> errors(ticks);
  std::mt19937 random{1};
  std::normal_distribution<double> noise{0, 1e-4};  // of the sensor
  arm joint;
  for (int tick = 0; tick < ticks; ++tick) {
    if (tick == grip) joint.mass = 2;
    const target to = path(tick * dt);
    const double feedback = 40 * (to.q - joint.position + noise(random)) + 4 * (to.v - joint.speed);
    joint.move(feedback + learned(to, feedback), dt);
    errors[static_cast<std::size_t>(tick)] = std::abs(to.q - joint.position) * 180 / M_PI;
  }
  return errors;
}

double rms(const std::vector<double>& errors, int from, int to) {
  double sum = 0;
  for (int i = from; i < to; ++i)
    sum += errors[static_cast<std::size_t>(i)] * errors[static_cast<std::size_t>(i)];
  return std::sqrt(sum / (to - from));
}

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 1e-5}), tl::cpu{}, 1};

  long allocated = 0;
  double seconds = 0;
  bool first = true;  // which makes the programs ready
  const auto errors = drive([&](const target& to, double feedback) {
    const std::array now{static_cast<float>(to.q), static_cast<float>(to.v / 3),
                         static_cast<float>(to.a / 10)};
    const float error = static_cast<float>(feedback);
    const long before = allocations;
    const auto begin = std::chrono::steady_clock::now();
    const double torque = net.step("path"_t = now, "feedback"_t = error).get<"torque">()[0];
    if (!first) {
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      allocated += allocations - before;
    }
    first = false;
    return torque;
  });
  const auto alone = drive([](const target&, double) { return 0.0; });

  std::puts("root mean square error, degrees   PD alone   PD and network");
  for (const auto& [what, from] : {std::pair{"the first 5 s                 ", 0},
                                   {"25 s to 30 s                  ", 25'000},
                                   {"5 s after the load is gripped ", grip},
                                   {"55 s to 60 s                  ", 55'000}})
    std::printf("%s      %6.2f         %6.2f\n", what, rms(alone, from, from + 5000),
                rms(errors, from, from + 5000));
  const double better = rms(alone, 55'000, ticks) / rms(errors, 55'000, ticks);
  std::printf(
      "%d steps of %.2f microseconds, %ld allocations; the error with the load is %.1f times smaller\n",
      ticks, 1e6 * seconds / (ticks - 1), allocated, better);

  std::vector<double> time, with, without;
  for (int second = 0; second + 1000 <= ticks; second += 1000) {
    time.push_back((second + 500) * dt);
    with.push_back(rms(errors, second, second + 1000));
    without.push_back(rms(alone, second, second + 1000));
  }
  svg::axes plot({.title = "a joint learns its arm while it moves",
                  .x_label = "seconds",
                  .y_label = "error, degrees",
                  .x = {0, 60},
                  .y = {0.1, 100},
                  .log_y = true,
                  .width = 620});
  plot.line(time, without, {.color = svg::grey, .label = "PD controller alone"});
  plot.line(time, with, {.color = svg::orange, .width = 2.2, .label = "with the network"});
  plot.line(std::vector{30.0, 30.0}, std::vector{0.1, 100.0},
            {.color = svg::blue, .width = 1.2, .dashed = true, .label = "a load is gripped"});
  svg::write("13_control.svg", {plot});
  return allocated == 0 && better > 4 ? 0 : 1;
}
