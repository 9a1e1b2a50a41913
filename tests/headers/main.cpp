// SPDX-License-Identifier: BSL-1.0
// Linked with one translation unit for each header: fails where a header defines something twice.
int main() {}
