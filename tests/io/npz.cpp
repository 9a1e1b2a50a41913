// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/npz.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "file_parts.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;
using tl::io::npz;
using tl::io::tensor_entry;
using shape = std::vector<std::int64_t>;
using test::entry, test::little;

namespace {

std::uint32_t crc_of(std::string_view text) {
  return tl::io::crc32({reinterpret_cast<const std::byte*>(text.data()), text.size()});
}

#if defined(TAPELESS_HAS_ZLIB)
std::string deflated(std::string text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string out(2 * text.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
#endif

/// A ZIP file of one member, whose fields may be changed before it is put together.
struct one_member {
  std::string name = "a.npy", data, tail;
  std::uint64_t flags = 0, method = 0, crc = 0, size = 0, compressed = 0, offset = 0, count = 1, begin = ~0u;
  std::string extra, local_magic = "PK\3\4", comment;

  explicit one_member(std::string bytes) : data(std::move(bytes)) {
    size = compressed = data.size();
    crc = crc_of(data);
  }
  std::string bytes() const {
    const std::string common = little(flags, 2) + little(method, 2) + little(0, 4) + little(crc, 4) +
                               little(compressed, 4) + little(size, 4) + little(name.size(), 2);
    const std::string local = local_magic + little(20, 2) + common + little(0, 2) + name + data;
    const std::string central = "PK\1\2" + little(20, 2) + little(20, 2) + common + little(extra.size(), 2) +
                                std::string(10, '\0') + little(offset, 4) + name + extra;
    const std::string end = "PK\5\6" + little(0, 4) + little(count, 2) + little(count, 2) +
                            little(central.size(), 4) + little(begin == ~0u ? local.size() : begin, 4) +
                            little(comment.size(), 2) + comment;
    return local + central + tail + end;
  }
};

/// The NPY file of an array of bytes.
std::string npy_bytes(const std::string& values) {
  const std::int64_t extents[] = {static_cast<std::int64_t>(values.size())};
  return tl::io::npy_header_text(tl::element::u8, extents) + values;
}

}  // namespace

TEST_CASE("CRC-32 has its check value, in any pieces", "[io]") {
  CHECK(crc_of("") == 0);
  CHECK(crc_of("123456789") == 0xcbf43926);
  const std::string text = "The quick brown fox jumps over the lazy dog";
  CHECK(crc_of(text) == 0x414fa339);
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    CHECK(tl::io::crc32({bytes + cut, text.size() - cut}, tl::io::crc32({bytes, cut})) == 0x414fa339);
}

TEST_CASE("arrays with names are written and read back", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("all.npz");
  const std::vector<float> floats{0.5f, -2, 3, 4, 5, 6};
  const std::vector<std::int64_t> longs{INT64_MIN, INT64_MAX};
  const std::vector<double> scalar{0.1};
  const std::vector<unsigned char> bytes{1, 255};
  const std::vector<tensor_entry> tensors{
      entry("fc1.weight", {3, 2}, floats), entry("longs", {2}, longs), entry("scalar", {}, scalar),
      entry("gr\xc3\xbc\xc3\x9f", {2, 1}, bytes), entry("none", {0, 4}, std::vector<float>())};
  tl::io::write_npz(path, tensors);
  const std::string written = test::bytes_of(path);
  const auto check = [&] {
    const npz file = npz::read(path);
    CHECK(file.path() == path);
    REQUIRE(file.size() == tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const tensor_entry& read = file.entries()[i];
      CHECK(read.name == tensors[i].name);
      CHECK(&read == file.find(tensors[i].name));
      CHECK(read.type == tensors[i].type);
      CHECK(read.shape == tensors[i].shape);
      CHECK(
          std::equal(read.bytes.begin(), read.bytes.end(), tensors[i].bytes.begin(), tensors[i].bytes.end()));
    }
    CHECK(test::missing_in(test::error_of([&] { file["fc1.wieght"]; }),
                           {path + ": no tensor \"fc1.wieght\"; similar: \"fc1.weight\""}) == "");
  };
  check();
  tl::io::write_npz(path, tensors);
  CHECK(test::bytes_of(path) == written);  // no time of day is in it

  SECTION("with numbers of 64 bits") {
    tl::io::zip_writer zip(path, true);
    for (const tensor_entry& tensor : tensors) {
      const std::string header = tl::io::npy_header_text(tensor.type, tensor.shape);
      const tl::array_view<const std::byte> pieces[] = {
          {reinterpret_cast<const std::byte*>(header.data()), header.size()},
          {tensor.bytes.data(), tensor.bytes.size()}};
      zip.add(tensor.name + ".npy", pieces);
    }
    zip.commit();
    CHECK(test::bytes_of(path).size() > written.size());
    check();
  }
}

TEST_CASE("arrays are read one by one, too", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("two.npz");
  const std::vector<float> a{1}, b{2, 3};
  tl::io::write_npz(path, std::vector{entry("a", {1}, a), entry("b", {2}, b)});
  tl::io::npz_reader file(path);
  CHECK(file.names() == std::vector<std::string>{"a", "b"});
  const auto second = tl::io::read_npy(*file.open("b")), first = tl::io::read_npy(*file.open("a"));
  CHECK(second.as<float>()[1] == 3);
  CHECK(first.as<float>()[0] == 1);
  CHECK(test::missing_in(test::error_of([&] { file.open("c"); }),
                         {path + ": no array \"c\"; similar: \"a\", \"b\""}) == "");
  std::string names;  // a range-based for keeps no reader, but its names
  for (const std::string& name : tl::io::npz_reader(path).names()) names += name;
  CHECK(names == "ab");
}

TEST_CASE("arrays of what tensors lack leave the others readable", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("mixed.npz");
  const auto array = [](const std::string& descr, const std::string& bytes) {
    std::string text = "{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,), }\n";
    return "\x93NUMPY" + little(1, 2) + little(text.size(), 2) + text + bytes;
  };
  const auto write = [&](const std::string& descr, const std::string& bytes) {
    tl::io::zip_writer zip(path);
    const auto add = [&](const std::string& name, const std::string& text) {
      const tl::array_view<const std::byte> pieces[] = {
          {reinterpret_cast<const std::byte*>(text.data()), text.size()}};
      zip.add(name, pieces);
    };
    add("other.npy", array(descr, bytes));
    add("w.npy", array("'|u1'", "\3\4"));
    zip.commit();
  };
  for (const auto& [descr, size, name] :
       {std::tuple{"'<U5'", 40, "'<U5' (texts)"}, std::tuple{"'|O'", 17, "'|O' (objects of Python's)"},
        std::tuple{"'|O8'", 17, "'|O8' (objects of Python's)"},
        std::tuple{"'<c8'", 16, "'<c8' (complex numbers)"}, std::tuple{"'<f16'", 32, "'<f16'"},
        std::tuple{"[('a]', '<f4'), ('b', '<i4', (2,))]", 24, "'[('a]', '<f4'), ('b', '<i4', (2,))]' (named"},
        std::tuple{"'<M8[ns]'", 16, "(dates)"}}) {
    INFO(descr);
    write(descr, std::string(static_cast<std::size_t>(size), 'x'));
    const npz file = npz::read(path);
    REQUIRE(file.size() == 2);
    CHECK(file["w"].as<std::uint8_t>()[1] == 4);
    CHECK(file["other"].type_name().find(name) != std::string::npos);
    CHECK(file["other"].shape == shape{2});
    CHECK(file["other"].bytes.empty());
    CHECK(test::missing_in(test::error_of([&] { file["other"].as<float>(); }),
                           {"tensor \"other\" holds ", name, "not float"}) == "");
  }
  write("'<c8'", "too short");
  CHECK(test::missing_in(test::error_of([&] { npz::read(path); }), {"expected 16 bytes", "found 9"}) == "");
}

TEST_CASE("what no NPZ file can hold is not written", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const std::vector<float> values{1, 2};
  const auto error_for = [&](const std::vector<tensor_entry>& tensors) {
    return test::error_of([&] { tl::io::write_npz(path, tensors); });
  };
  CHECK(test::missing_in(error_for({entry("a", {2}, values), entry("a", {2}, values)}),
                         {path + ": the name \"a\" is given twice"}) == "");
  CHECK(test::missing_in(error_for({entry("", {2}, values)}), {"expected a name of 1 to 65000 bytes"}) == "");
  CHECK(test::missing_in(error_for({entry("\xff", {2}, values)}), {"UTF-8, found \"?\""}) == "");
  CHECK(test::missing_in(error_for({entry("a", {3}, values)}),
                         {"\"a\": expected the bytes of float of shape [3]"}) == "");
  CHECK(test::missing_in(error_for({entry("a", {2}, std::vector<tl::bf16>(2))}), {"no type for", "bf16"}) ==
        "");
  CHECK(folder.size() == 0);
}

TEST_CASE("an NPZ file that is wrong is named, with what was expected and what was found", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const auto error_for = [&](const std::string& bytes) {
    folder.write("file", bytes);
    return test::error_of([&] { npz::read(path); });
  };
  const std::string contents = npy_bytes("\1\2\3");
  one_member right(contents);
  right.comment = "a comment that mentions PK\5\6";
  CHECK(error_for(right.bytes()) == "(no error)");
  SECTION("missing, empty, something else") {
    CHECK(test::missing_in(test::error_of([&] { npz::read(folder.path("no")); }),
                           {folder.path("no"), "No such"}) == "");
    CHECK(test::missing_in(error_for(""), {path + " is empty"}) == "");
    CHECK(test::missing_in(error_for(contents), {path + ": expected a ZIP file, as NPZ files are"}) == "");
  }
  SECTION("truncated anywhere, or too long") {
    const std::string bytes = right.bytes();
    for (std::size_t size = 1; size < bytes.size(); ++size)
      CHECK(test::missing_in(error_for(bytes.substr(0, size)), {path}) == "");
    CHECK(test::missing_in(error_for(bytes + "x"), {path}) == "");
    CHECK(test::missing_in(error_for("x" + bytes), {path}) == "");
  }
  SECTION("any byte another one: read, or refused") {
    const std::string bytes = right.bytes();
    for (std::size_t i = 0; i < bytes.size(); ++i)
      for (const char c : {'\0', '\x7f', '\xff'}) {
        std::string other = bytes;
        other[i] = c;
        error_for(other);  // nothing but tl::error
      }
  }
  SECTION("data that is not what was written") {
    right.data.back() = '\4';
    CHECK(test::missing_in(error_for(right.bytes()),
                           {path + ": \"a.npy\" is corrupt: its CRC is ", ", expected "}) == "");
  }
  SECTION("members that are no arrays") {
    right.name = "data.pkl";
    CHECK(test::missing_in(error_for(right.bytes()), {"members end in .npy, found \"data.pkl\""}) == "");
  }
  SECTION("of torch.save, whose directory ends for 64 bits though 32 suffice") {
    right.name = "net/data.pkl";
    const std::string bytes = right.bytes();
    const std::size_t begin = bytes.find("PK\1\2"), end = bytes.find("PK\5\6");
    right.tail = "PK\6\6" + little(44, 8) + std::string(12, '\0') + little(1, 8) + little(1, 8) +
                 little(end - begin, 8) + little(begin, 8) + "PK\6\7" + little(0, 4) + little(end, 8) +
                 little(1, 4);
    CHECK(
        test::missing_in(error_for(right.bytes()), {path + ": expected an NPZ file, found one of torch.save",
                                                    "safetensors.torch.save_file"}) == "");
    right.name = "net.npy.1234";  // as long
    CHECK(test::missing_in(error_for(right.bytes()), {"members end in .npy, found \"net.npy.1234\""}) == "");
  }
  SECTION("encrypted, or compressed in another way") {
    right.flags = 1;
    CHECK(test::missing_in(error_for(right.bytes()), {"member \"a.npy\": it is encrypted"}) == "");
    right.flags = 0;
    right.method = 14;
    CHECK(test::missing_in(error_for(right.bytes()),
                           {"compressed by method 14; expected 0 (stored) or 8 (deflated)"}) == "");
  }
  SECTION("sizes that lie") {
    right.size = right.compressed = 0xfffffff0;
    CHECK(test::missing_in(error_for(right.bytes()),
                           {"its 4294967280 bytes from byte 0 on do not lie before"}) == "");
    right.compressed = contents.size();
    CHECK(test::missing_in(error_for(right.bytes()), {" bytes cannot become 4294967280"}) == "");
    right.method = 8;
    CHECK(test::missing_in(error_for(right.bytes()), {" bytes cannot become 4294967280"}) == "");
    right.size = right.compressed = 0xffffffff;  // and no field of 64 bits
    CHECK(test::missing_in(error_for(right.bytes()), {"4294967295 bytes"}) == "");
    right.extra = little(1, 2) + little(16, 2) + std::string(16, '\xff');
    CHECK(test::missing_in(error_for(right.bytes()), {"its 18446744073709551615 bytes"}) == "");
    right.extra = little(1, 2) + little(17, 2) + std::string(16, '\xff');
    CHECK(test::missing_in(error_for(right.bytes()), {"a field of 17 bytes in the last 16"}) == "");
  }
  SECTION("places that lie") {
    right.offset = 1;
    CHECK(test::missing_in(error_for(right.bytes()), {"byte 1 is not where a member begins"}) == "");
    right.offset = 100;
    CHECK(test::missing_in(error_for(right.bytes()), {path, "do not lie before the directory"}) == "");
    right.offset = 0;
    right.begin = 3;
    CHECK(test::missing_in(error_for(right.bytes()), {path + ": expected a directory of"}) == "");
    right.begin = ~0u;
    right.local_magic = "PK\3\5";
    CHECK(test::missing_in(error_for(right.bytes()), {"byte 0 is not where a member begins"}) == "");
  }
  SECTION("numbers of members that lie") {
    right.count = 2;
    CHECK(test::missing_in(error_for(right.bytes()),
                           {"room for 1 members, but the file says that there are 2"}) == "");
    right.count = 0;
    CHECK(test::missing_in(error_for(right.bytes()), {"bytes in the directory after its last member"}) == "");
  }
}

TEST_CASE("members that overlap, or have one name, are refused", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const std::vector<unsigned char> values(1000);
  tl::io::write_npz(path, std::vector{entry("a", {1000}, values), entry("b", {1000}, values)});
  const std::string bytes = test::bytes_of(path);
  const auto error_for = [&](const std::string& other) {
    folder.write("file", other);
    return test::error_of([&] { npz::read(path); });
  };
  std::string same = bytes;
  same.replace(same.rfind("b.npy"), 1, "a");
  CHECK(test::missing_in(error_for(same), {path + ": the name \"a.npy\" occurs twice"}) == "");
  // a directory that names one member's bytes again and again
  const std::size_t directory = bytes.find("PK\1\2"), second = bytes.rfind("PK\1\2"),
                    end = bytes.rfind("PK\5\6");
  std::string entries;
  for (char c = 'a'; c < 'e'; ++c) {
    entries += bytes.substr(directory, second - directory);
    entries[entries.size() - 5] = c;
  }
  std::string bomb = bytes.substr(0, directory) + entries + bytes.substr(end);
  const std::size_t fields = directory + entries.size() + 8;
  bomb.replace(fields, 8, little(4, 2) + little(4, 2) + little(entries.size(), 4));
  CHECK(test::missing_in(error_for(bomb), {path + ": its members would overlap"}) == "");
}

#if defined(TAPELESS_HAS_ZLIB)

TEST_CASE("deflated members are unpacked, and no larger than their data warrants", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  std::string values;
  for (int i = 0; i < 300000; ++i) values += static_cast<char>(i % 256 * (i / 1000));
  const std::string contents = npy_bytes(values);
  one_member zipped(contents);
  zipped.data = deflated(contents);
  zipped.compressed = zipped.data.size();
  zipped.method = 8;
  const auto error_for = [&](const one_member& member) {
    folder.write("file", member.bytes());
    return test::error_of([&] { npz::read(path); });
  };
  CHECK(error_for(zipped) == "(no error)");
  const auto read = npz::read(path);
  CHECK(std::memcmp(read["a"].bytes.data(), values.data(), values.size()) == 0);

  one_member other = zipped;
  other.crc ^= 1;
  CHECK(test::missing_in(error_for(other), {path + ": \"a.npy\" is corrupt: its CRC is"}) == "");
  other = zipped;
  other.data.resize(other.compressed = other.data.size() / 2);
  CHECK(test::missing_in(error_for(other), {"\"a.npy\" is corrupt: its deflated data is truncated"}) == "");
  other = zipped;
  other.data[10] ^= '\x55';
  other.data[0] ^= '\x07';
  CHECK(test::missing_in(error_for(other), {path + ": \"a.npy\" is corrupt: "}) == "");
  other = zipped;
  other.data = deflated(contents + "more");
  other.compressed = other.data.size();
  CHECK(test::missing_in(error_for(other), {"its data goes on after the end"}) == "");
  other.data = deflated(contents.substr(0, contents.size() - 7));
  other.compressed = other.data.size();
  CHECK(test::missing_in(error_for(other), {"its data ends 7 bytes too early"}) == "");
}

TEST_CASE("a deflated member may be read up to anywhere before its end", "[io]") {
  const test::temporary_folder folder;
  const std::size_t first = 65536;  // as much as read_npy takes at once
  for (std::size_t more = 1; more < 1100; more += more < 10 ? 1 : 33) {
    const std::string contents(first + more, '\0');
    one_member zipped(contents);
    zipped.data = deflated(contents);
    zipped.compressed = zipped.data.size();
    zipped.method = 8;
    std::vector<std::byte> all(contents.size(), std::byte{1});
    const auto read = [&] {
      tl::io::zip_reader zip(folder.write("file", zipped.bytes()));
      const auto from = zip.open(zip.members()[0]);
      from->read_exactly({all.data(), first});
      from->read_exactly({all.data() + first, more});
    };
    CAPTURE(more);
    CHECK(test::error_of(read) == "(no error)");
    CHECK((all == std::vector<std::byte>(contents.size())));
  }
}

#endif
