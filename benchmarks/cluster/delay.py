# SPDX-License-Identifier: BSL-1.0
"""python3 delay.py ONE TWO MILLISECONDS [GBIT]: a link between two network namespaces on which each packet is under
way for so long, at so many Gbit/s (1), until it is killed. As root, for kernels without netem. The ends are 10.78.0.1
in the namespace ONE, 10.78.0.2 in TWO. Packets have up to 60,000 bytes: more of them are more than Python can carry."""
import collections
import fcntl
import os
import struct
import subprocess
import sys
import threading
import time


def end_of_link(name, namespace, address):
    """The file whose reads are packets that the namespace has sent, and whose writes it receives."""
    tun = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH22x", name.encode(), 0x1001))  # TUNSETIFF: IFF_TUN | IFF_NO_PI
    for command in (f"link set {name} netns {namespace}", f"-n {namespace} addr add {address}/24 dev {name}",
                    f"-n {namespace} link set {name} mtu 60000 txqueuelen 5000 up"):
        subprocess.run(["ip", *command.split()], check=True)
    return tun


def carry(source, target, delay, seconds_per_byte):
    """One direction: a thread reads and says when a packet arrives, this one waits until then."""
    under_way = collections.deque()
    there = threading.Semaphore(0)

    def read():
        free = 0.0  # when the link has sent what came before
        while True:
            packet = os.read(source, 65536)
            free = max(time.monotonic(), free) + len(packet) * seconds_per_byte
            under_way.append((free + delay, packet))
            there.release()

    threading.Thread(target=read, daemon=True).start()
    while True:
        there.acquire()
        arrives, packet = under_way.popleft()
        if (left := arrives - time.monotonic()) > 0:
            time.sleep(left)
        os.write(target, packet)


one, two, milliseconds = sys.argv[1:4]
seconds_per_byte = 8e-9 / float(sys.argv[4] if len(sys.argv) > 4 else 1)
ends = [end_of_link("delay_one", one, "10.78.0.1"), end_of_link("delay_two", two, "10.78.0.2")]
print("ready", flush=True)
back = threading.Thread(target=carry, args=(*reversed(ends), float(milliseconds) / 1e3, seconds_per_byte), daemon=True)
back.start()
carry(*ends, float(milliseconds) / 1e3, seconds_per_byte)
