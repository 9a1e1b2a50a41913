// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/gguf_blocks.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/io/gguf.hpp>

#include "catch.hpp"
#include "gguf_parts.hpp"
#include "temporary_folder.hpp"

using tapeless::io::gguf;
using tapeless::io::tensor_entry;
using shape = std::vector<std::int64_t>;
using test::little;
using test::gguf::file_bytes, test::gguf::place;

namespace {

// Random bytes, but for the f16 and f32 numbers, and what gguf.quants.dequantize of the package gguf 0.19
// makes of them: as 1024ths, 16 bits each, the highest first. Q8_K, which that lacks, is computed by numpy.
// All products and sums are exact in float, and so results are the same to the bit.
struct example {
  std::uint32_t number;
  std::string_view name;
  std::size_t elements;  // of a block
  std::string_view blocks, values;
};
constexpr example examples[] = {
    {2, "Q4_0", 32, "001de5f1a94106a0956a26afbccdafe562f9001a93c642276ad5ab2da7394551370e99b2",
     "fff1ffdd0005ffddfff6ffd8fff1000afff60023001400190023fff1ffe20005001e0023000affecffd8000a0005fff6ffe2"
     "000a000f0014000a001efff60023fff1fffaffeefffd0006fff70009000ffffd0003fff7ffebfffd00120003ffee0003000c"
     "fff4ffeefffa000f0006ffee0006fff1fff4fff7fff1ffe800030009"},
    {3, "Q4_1", 32, "001d009fd732a1df70aca1e926115901dd06f27f001a80215e19a621f9bd0ccc21397c1ec795ca77",
     "001c0003fffe0044fff90035fffe00260017fffe0026fffe003a001700030044003a0008002b003a001c002b002b003f0003"
     "fffe0012fff9003afff90044001c00350026001d000e00260032002f002f000e0026002f00350020001a00290020001a000e"
     "002900110038002c000b002f001100140020000e002f0026002f0020"},
    {6, "Q5_0", 32,
     "001d03d17a88934d85527357a2e64647f03e2fb81f22001a8efd5185f0711ef7677a1f132a818d882195a100",
     "000f0041ffc9ffbaffbfffd3ffbaffce001effd3ffb0fff6004bffd8004b000affdd0014ffd80019002300190032fff6ffc4"
     "ffc4fffb000fffbaffe7ffb5000affd00003002a0015ffe5ffeefffd0009001effd3002700180003000f00030000002dffe5"
     "ffd3fffd0012ffe50003ffd30006ffe80018ffe8ffd6ffebffee0000"},
    {7, "Q5_1", 32,
     "001d009f481bd9fe630dc3ce3be4ebcab72f45b35223479f001a8021037e2cfde9e15a7789781e3721a557d8e5a70329",
     "0008003a0008008f0030000d0080002b006c00940012005800530008001c00440067fff9003500850058003f008f00850030"
     "0053005d008000620053005d00760056003e002900200026002300350020000e004a00500053004a00500044002600350035"
     "004a005000230050000e001400410029004a006200650059003b0041"},
    {8, "Q8_0", 32,
     "001d81db3f65cf9c1bdc5d1d8fc83f0b0bb4db71be572209851d3d24f4c0cf83fe43001a59778955f6ced681cbea7179ced2"
     "c8f814a13472ff70ce369d8385452a44f318",
     "fd85ff47013b01f9ff0bfe0c0087ff4c01d10091fdcbfee8013b00370037fe84ff470235feb601b300aa002dfd9900910131"
     "00b4ffc4fec0ff0bfd8ffff6014f010b0165fe9b00ffffe2ff6aff82fe83ff61ffbe0153016bff6aff76ff58ffe8003cfee3"
     "009c0156fffd0150ff6a00a2fed7fe89fe8f00cf007e00ccffd90048"},
    {20, "IQ4_NL", 32, "001d1e614f235d3f83bc45fee9ee0403a79b001a41317c9311f85e0429b19f7ec0e156f6",
     "01bdfdf80235febb01590235febb0109ff5101bd004101bdff0bfebbffce00befdf8ff92ff0bfe61ff51febb000500beff0b"
     "023501bd01bdfd85fd85007d0041fec8fec8009fff3dfec80003010bff6d0027fec80153010bfe83fec8ffbeffbeff6dff3d"
     "ffe20027fec80153ff97fe83ff0700720027ffe2009f010bff970153"},
    {10, "Q2_K", 256,
     "22e791b880ee995e3f0d307d2fbaf400693a179e0d027ed4e58be7a9ebc28a271d43a78855638144eb6603f7b2725de11fe6"
     "ac2f88a68182869793f0aad6ded8116e3ab51681c4a374fec70a68b3e4bd001d009f",
     "00180022002c0022001800220022000e0018002c002c0018002c00220022002c008500cb00cb0062008500cb0085006200cb"
     "00a800cb00cb00a800a800850085004900490044004e004e003f004e004400440049004400490049003f0049004400c5004d"
     "0075009d0075004d004d0075009d0075004d0075004d004d00c5004d00380038003800380038003800380038003800380038"
     "0038003800380038003800a8006200ee006200a800ee0062006200ee00ee006201340134013400a800ee006c003f003f0099"
     "003f003f006c00c600c6009900c6009900c600c60099003f0023006900af00af0069006900af006900f50069002300f500af"
     "0069006900f500f600ab001500f6001500ab006000ab00ab00f600f6001500ab00ab00ab0015004100820082004100820041"
     "000000c30000008200c30082000000c300000041001500150015001500150015001500150015001500150015001500150015"
     "0015003100f400b300720072003100720031007200f4007200b300b30031007200f4005900a400a400a4000e00a4000e000e"
     "000e0059005900ef00a4005900590059007f00b100e300e3007f004d004d00b100e300e3004d004d00b100e300b100e30069"
     "00a500910069009100910091009100910091009100a5009100a500a500a50000000000000000000000000000000000000000"
     "000000000000000000000000"},
    {11, "Q3_K", 256,
     "87416c17ec90963ec766888ab4b80eba7c5cfd81121bea9cee1810dfd5169faf26cd7b5c30c8aba44d972299e8c7b41b9a1d"
     "2b0f180600a974d63b6332202c998e82b2522c49c4394c7d73265b6aaf61b288fbd0aecfa766616223611e764c93aa388ffa"
     "bd0a6a6412b20997001d",
     "00640032ffce0000ff38ff38ffceff380032ffceff9cff6aff38ffceff38ffceffb0ff8800780078ff600050ff60ff88ff60"
     "ffb0ffd800780050ff6000000028fffb0005000afff10014000afff6fffbfff1fffb0014fff6000a000ffffbfff6fefcff7e"
     "fefcff7e010400820000fefc0082fe7afefc0000fdf8000001860104ff42017cfee3ffa1fee3017cff42ff420000ffa100be"
     "011dff42017cfee3011dff92ff92ff2401b8014a01b801b8ff24feb6014a006eff24feb6ff24ff24ff92ff38ffce0032ff6a"
     "0000ffceff9c0064ff6aff9c00000064ffce009600640000ff880000000000f000f000000000ff88ffc4ff4c00f0ffc400f0"
     "00f00000ff88003c003c003cffc40078ffe20000ffe20078005a001e003cffa6ffc4001effe200be0000011dfe8400be011d"
     "ffa100befee300be011d005f00be00be0000ffa1007801e0000001e0fe9800f00168ff100078fe9801e00168ff10ff100078"
     "00000000000afff6001400050005fffb000f00000014001400140005000f0005000001a40000fec5013bff2e01a401a40069"
     "0000fec5006900d2013b00d200d200d20000000000000000000000000000000000000000000000000000000000000000fefc"
     "0104010401860000ff7efe7a0208ff7e0186ff7e0000ff7eff7e0104ff7effc4ffc4005a005affc4ffe2003c001e001effa6"
     "ff88001e0000ffa6001e003c"},
    {12, "Q4_K", 256,
     "001d009fb8fa197271be53a3442b128cdad72bad0f8aeef42a0b9a26d74fc78f2562b8701097a55b5510543d27ed600de320"
     "0a6749307fd37899c118819af6674394c3f7aa5f93f32c810a37ca7bf1013ccdf8ab8ab4a6039954e84cbe3b3f7f1183c3df"
     "8375c517b4e786a9aadf7488f892b12191387ad86aca56d8531c927b931fe8f16e795b9b331767e712dbe8f5",
     "0c4708ff0d5f0f8f11bf0c4710a705b70c470d5f0c4707e708ff11bf08ff11bf06cf03870a170157015708ff06cf0d5f06cf"
     "015705b70f8f08ff0f8f01570f8f106c106c03f60d0601b20ac2118e12b003f601b20be403f6106c063a0f4a0ac203f6087e"
     "0e2809a002d40be40d06075c075c02d4075c051803f6118e087e01b201fc0085056703f004ea008507d801fc046d04ea0102"
     "046d01020567037303f001fc027901fc03f0056707d801fc01fc06610102056703f0056705e4010201020ea102e900f506d1"
     "04dd03e307cb0da707cb09bf0cad01ef08c509bf0f9b06d104dd09bf0cad0f9b0ab905d709bf0f9b02e908c500f503e30cad"
     "07cb0f9b00f508fc09b0062c08480794035c04c402a806e0035c062c08fc0a6408480b180b18014002a802a80b1802a80410"
     "04100578035c057804c406e007940b18035c062c04630ec212370c740a260d9b0c7400ee0b4d06b11110058a0d9b04630463"
     "08ff02150a260ec20fe90a2608ff0ec202150d9b11100a260c740c740fe908ff0a2600c7008b00810081008100c700db00c7"
     "00db00db00b300c7009500ef008b00e50095010d00c70081010300d100e500e5009500bd00bd00bd008b00e500c700a9094c"
     "0604071c0230060402bc04ec0834046007a803d4083403d401a4060404ec060401a408c0094c046004ec03d4060402bc01a4"
     "046008c001a4083408c0094c"},
    {13, "Q5_K", 256,
     "001d009f7f01e64710dd3c25f4d21690a049453135550ec0193a8bed1783d53ec944658d1d28960c44b0382e93438e60788d"
     "51e279a131f8130b3ea4bd2f5d95e57bd791436d840f4e6654608135bbfb885d346959a49b36402a4f3dcc489fb6511fbe09"
     "e5d72bf834e04fe028ca4991e02abd77279fedc206d2318ca8b8287a6f4b795209575d7277d456c0f6e81a0e584d730660f5"
     "6bb8b588475f7066c1cd7109c5079a933ee857db751ff223726a",
     "0a48241f155b16961f33155b01ab0a4817d10df9255a190c241f2695241f06971a470df91cbd155b17d1106f055c12e511aa"
     "07d2055c0070155b1a470df90df900ee00f300e4011100ee00fd012a011600d0011b012a00fd0152012500e40148011100ee"
     "010c00f800df00e9014300cb00df00e900e401390143012a0152011607940b4a107c08521432107c15ae061801a409100cc6"
     "172a166c079418a611f8026218a617e81432113a06d615ae1374107c01a40cc60d840794091014320262021b03e2016c01d5"
     "01b20261046e016c03bf037903bf039c02a7018f023e04b403e2012602840333051d04fa01490540016c02ed03bf051d0149"
     "02a703bf023e00690451057d096509650c85057d01310901077100cd051909c9038909c90a91064504b503ed01310a2d0325"
     "0bbd0131032508390901006909010389045105e102d701bf02190291025f02050237022301ab02cd01c9029b020f021901bf"
     "029101e701d3029101dd01ab027d01dd01f101f102cd027d02c30241023701b5024b08771e9d1411065b0007162d0ba11957"
     "054d0877076920b90007065b11f50dbd11f51a65162d07690a9303310ecb087718490ba1054d0fd90223141102231b7306cf"
     "017f026f003f021f04ef021f08af03af02bf067f06cf026f071f08ff03ff076f003f03ff053f030f030f062f049f01cf094f"
     "026f008f09ef00df076f021f"},
    {14, "Q6_K", 256,
     "d90697f749f7c61bd80163a8c9a356ba91d79f6d24ee3a14ebd41386d8faef6e9e6c70df41dba9aeb5301e5824b7db0e504f"
     "1d970686934768f005af0d5a23ddb465fc5a489b43e76ea3e384969be487a440e7c3ea5204cabbf9bfe8e648caff7704ac26"
     "d227a069c392f4eeb361c24ef366530178b479933822c3c0cf6b3cbeb4af7ecff21cd3a408f80223e393ddd808453d6bad90"
     "efd8aba2b4d096226df8d446a703fcb2bdddd8e1e2a09a633f7c349903cb463dc4f3ea335483e56f64168344d1b96b410c3b"
     "ade3f6390f4a6231001d",
     "3827ca4aeee9c7d9ea073d09ca4a33453a984baff8adc568c2f7d19d186a35b6d6d4f40cfeac2684f010e8182288dad023dc"
     "0550d97cdd780aa00d48feace81801d6e64cf150e38b1c75e737151d01d6fb6900001086160819b416f3e737f32600000163"
     "d7c9f64be17e240ee5a7f64bf4e82c600f41179304291e82e5a7edf93c9b0000343fdc7929ccfde9f7a40217d84b2170c9aa"
     "14e61914f376e903f58de2cde7e11fbd079e028afd7603cfecf511c610811595f5d8fc31130b11c61bee021c0168fde406cc"
     "04b0fb8c06180258fb140474f8bcf9ac0438029406cc03c0e0e3f22cdc47f7ef000009381ccf170c06ea114900001df60000"
     "e0e3efde216b2d64f7e5d29cd5da26e8ee2b15130e971d2e1513fb232d64f646d43bdf9428870fdc0910f2f9f53dfa5607ee"
     "0fdcf146f9c5f1d709a1f26805aaf2680c76f78101c2025800c80514fc7c04e2fce0fb1eff6a05dc05780384ff6a060efc7c"
     "fa24f18706aedfb7011df7181644f835dfb708e8de9af187dc60fee31e0ffb8cfdc6fe89f8620465f81705dc075305dcff6a"
     "fd1202ee041a0258fdf302a308ca07082594eea8e5fce318e5fc1e5ad1c028780fe62ccef8c6e5fc143c05c81158fe8e2c06"
     "e1601324c694378203d413242a1c35982fda3b561acc150eecdcd9b8e908efbb05bee6290f50f763ebe7160317ed122fe34a"
     "fc2c0b7c1accf66ef38febe7"},
    {15, "Q8_K", 256,
     "000049be48e3f55cb7e22d1bad8ded2dd7fb1065837b97585cae654f2c42b8f27265d7ddd7eec5923eb486fc6bb30e571a96"
     "372332a38245e6a7dc162ddcb8f3d54a0f38ee52c9719952c3338026fbfa0adf76282c4bf9838c2557f3b7246b852bab20e6"
     "04ae83e5385d98c4690126be98f09c9384aaa5945fc3d3d4e1e6386dbe5b1df267ebd0e0f0a3d85f5fa461698f35e2b6b9f8"
     "39ecdb83b5184e549711f50a853f3b46146e3201a92959ecfe84886a928a82af70f39304ebbe937c4140821f57c9e09458ce"
     "1d9b09ae70372dad1acf5c4f1bf192b701b682225ceb2ea1b0b2cbebdc33b8f80cbf564cb39c2a558b53769e1763f565d2e3"
     "29bb4b06f233bc2f422be3f0fa0cdd682f78c6268136c5d5ae4ceedf5bea752175d0b84d15d704b6df97",
     "c77816c508a3b7c43951178edcabeacd412b5a4b0eebdcab203103edf370b0b362259f6d5271bae8b7c44062b0b3c1f9dd74"
     "cc2e38880afea67eb0b320311b7b20310e222e53565ecf523bac5fca0324abfd3c75f502bbb1eb96533ad4d1e485d8be4905"
     "62eec9d3146a45e11c44eebadcab1c4438880a3521c3c5e6f439d4080e22bf9e2b2fa74750dfbf9e2fe5d7f56480e22a03ed"
     "04b6f82619e9a35ae098dd74c51d057f62255b14e2f3bbb10a353951e3bcabfd6093de3d42bde6e0146afcdc406262251533"
     "d408b6fb51a82f1cad8fff37e22a33d251a80c904e845595615c4386477354ccb5692fe52355228c1857146ad408aa6b33d2"
     "b88de93b0afeaf21107d25b019200c9049051f68b569b569483cb3d7ad8f58b9d663178e3a1a37bf0648d33f0fb41d0d6225"
     "3ae3ed28c2c2be0c5271f2a708a3f8266093ce89d1adc90af04ca9a2d8beff37444fdfcfba1f0fb40192615c5e38acc6565e"
     "5ca662ee3f99a8100a355595fcdc107d33d255959ea4ccf7cdc062eee7a9bbb12b2f192054ccbae82742e93b4f4df8ef4062"
     "a810d4d1dcab412beb962679b7c4c1f9eacd0bc7565e3951ff373a1a62eee54eb7c4107ddbe24a973ed03d3e299d107d1c44"
     "d7f538880648f6943309bc7ac4543c754e84df06bd435bddbed5a35a4cf2edf1b24508a3b0b3241e16c5dfcf362dc51dfb4a"
     "0afed7f53564db19cc2ede3d"},
    {23, "IQ4_XS", 256,
     "001dc61c2a4527bf1f43919a9622a5e8199fac7ab4b3532c86443d981aafc374303fc6a86bd92e60843c814ee9b10320c616"
     "1bf6355049c1e34a41772dc9023cb637cba025aa8269e52e9ea289eb1d172060132f2a6828bc7b69d60faba177ada22a5969"
     "596dd200d37997c3cacb25b30760b2d073813de54e93e0ba771450d7f0fffa1c917d1feb",
     "1612f34eebb004e2fbb4efcaf92a0032028a16120a5a04e2f66ef34ef34e0a5aebb0f66e028a028a028aefca04e21162ebb0"
     "028a04e2fe0c076c076cf92aefca06040d66ed22ffbaf92ae11a11c60d6622bae11a0604ffbaf59cfc72e7aa22baffba0d66"
     "11c6fc721c70f92af18202bc11c611c6f182f92a0604ed2216b2060419d7e40d36d8d111f92536d8224742f90b9a0b9aebf6"
     "0b9a127542f9f92536d8ff792247ff7919d7d111ebf642f92bc5e40d36d836d8c4692247127519d7e40de69c09c4d760fc18"
     "1af40514df9414b4f768fc180ed8ce64f25409c4df94051422c4ecdcecdcfc18df9414b4ce64e69c0ed8e69c14b409c4df94"
     "09c40064f7681117d48bd48b2887f9a7ed72de4f04e23e033e031fbdc8d3f3cbff83ff83e61fd48b2887f9a7f3cbff83d48b"
     "32c832c828870abe32c8288728870abe2887ed720d5c0492f84427ba0d5cdb70fc7c1842e2d208ca0492049204921842e2d2"
     "d35afc7cf8441842d35a08ca08cafc7c08ca08cae2d2f3b2f844f3b2f8441842d35a0145ffbf00320145ff83ff4200af0145"
     "0032027b019f027b01450208fea700affea70032ffbffef7fef7fef7019fff42027b006eff42fea70032fffb0145fe43db7f"
     "1aa93417f5bf041a14193417041a3417d1a7f5bfea432aa8e3b3d1a7f06a1419faabdb7ff06a041a2aa80e5be3b3d1a7d1a7"
     "d1a72aa8faab041a2aa8db7f"},
};

int hexadecimal(std::string_view digits) {
  int number = 0;
  for (const char digit : digits) number = 16 * number + (digit <= '9' ? digit - '0' : digit - 'a' + 10);
  return number;
}
std::string bytes_of(const example& e) {
  std::string bytes;
  for (std::size_t i = 0; i < e.blocks.size(); i += 2)
    bytes += static_cast<char>(hexadecimal(e.blocks.substr(i, 2)));
  return bytes;
}
std::vector<float> values_of(const example& e) {
  std::vector<float> values;
  for (std::size_t i = 0; i < e.values.size(); i += 4)
    values.push_back(static_cast<float>(static_cast<std::int16_t>(hexadecimal(e.values.substr(i, 4)))) /
                     1024);
  return values;
}
std::vector<float> floats_of(const tensor_entry& tensor) {
  const auto floats = tensor.as<float>();
  return {floats.begin(), floats.end()};
}

}  // namespace

TEST_CASE("blocks of each format become the floats that the format's own package makes of them", "[io]") {
  const test::temporary_folder folder;
  for (const example& e : examples) {
    CAPTURE(e.name);
    const std::string blocks = bytes_of(e);
    const std::vector<float> values = values_of(e);
    const std::string places = place("a", {values.size()}, e.number, 0);
    const gguf file = gguf::read(folder.write("file", file_bytes(0, "", 1, places, blocks)));
    CHECK(file["a"].type == tapeless::element::f32);
    CHECK(file["a"].shape == shape{static_cast<std::int64_t>(values.size())});
    CHECK(floats_of(file["a"]) == values);
  }
}

TEST_CASE("blocks lie in rows, beside tensors of other types", "[io]") {
  const test::temporary_folder folder;
  for (const example& e : examples) {
    CAPTURE(e.name);
    const std::string once = bytes_of(e);
    const std::vector<float> values = values_of(e);
    std::string data("\0\0\x80\x3f", 4), places = place("one", {1}, 0, 0);
    data.resize(32, '\0');
    std::vector<float> expected;
    for (int i = 0; i < 6; ++i) {
      data += once;
      expected.insert(expected.end(), values.begin(), values.end());
    }
    places += place("a", {2 * values.size(), 3}, e.number, 32);
    data.resize((data.size() + 31) / 32 * 32, '\0');
    places += place("minus one", {1}, 0, data.size());
    data += std::string("\0\0\x80\xbf", 4);
    const gguf file = gguf::read(folder.write("file", file_bytes(0, "", 3, places, data)));
    CHECK(file["a"].shape == shape{3, 2 * static_cast<std::int64_t>(values.size())});
    CHECK(floats_of(file["a"]) == expected);
    CHECK(file["one"].as<float>()[0] == 1);
    CHECK(file["minus one"].as<float>()[0] == -1);
    CHECK(reinterpret_cast<std::uintptr_t>(file["minus one"].bytes.data()) % 32 == 0);
  }
}

TEST_CASE("blocks that are no whole row, or not all there, are refused by the tensor's name", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const auto error_for = [&](const std::string& places, const std::string& data) {
    folder.write("file", file_bytes(0, "", 1, places, data));
    return test::error_of([&] { gguf::read(path); });
  };
  for (const example& e : examples) {
    CAPTURE(e.name);
    const std::string blocks = bytes_of(e), name(e.name), in_a_block = std::to_string(e.elements);
    const std::size_t count = values_of(e).size();
    CHECK(test::missing_in(error_for(place("a", {e.elements / 2, 2}, e.number, 0), blocks),
                           {path + ": tensor \"a\": " + name + " has blocks of " + in_a_block +
                            " elements, of which its rows are no whole number: shape [2, " +
                            std::to_string(e.elements / 2) + "]"}) == "");
    CHECK(test::missing_in(error_for(place("a", {}, e.number, 0), blocks), {"\"a\": " + name, "shape []"}) ==
          "");
    for (std::size_t size = 1; size < blocks.size(); ++size)
      CHECK(test::missing_in(error_for(place("a", {count}, e.number, 0), blocks.substr(0, size)),
                             {path + ": tensor \"a\": "}) == "");
    CHECK(test::missing_in(
              error_for(place("a", {1ull << 60, 1ull << 60}, e.number, 0), blocks),
              {"tensor \"a\": shape [1152921504606846976, 1152921504606846976] from byte 0 on"}) == "");
    CHECK(error_for(place("a", {0}, e.number, 0), "") == "(no error)");
    CHECK(error_for(place("a", {e.elements, 0}, e.number, 0), "") == "(no error)");
  }
}

TEST_CASE("a tensor of a type that is not read is an error only for who asks for it", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const auto read = [&](const std::string& second, const std::string& data) {
    const std::string places = place("a", {256}, 16, 0) + second;
    return gguf::read(folder.write("file", file_bytes(0, "", 2, places, data)));
  };
  std::string data(96, 'x');
  data += std::string("\0\0\x80\x3f", 4);
  const gguf file = read(place("b", {1}, 0, 96), data);
  CHECK(file["b"].as<float>()[0] == 1);
  CHECK(file["a"].type_name() == "IQ2_XXS");
  CHECK(file["a"].shape == shape{256});
  CHECK(file["a"].bytes.size() == 96);
  CHECK(test::missing_in(test::error_of([&] { file["a"].as<float>(); }),
                         {"tensor \"a\" holds IQ2_XXS, not float"}) == "");
  CHECK(test::missing_in(test::error_of([&] { tapeless::io::write_gguf(path, file.entries()); }),
                         {"tensor \"a\": elements of type IQ2_XXS cannot be written"}) == "");
  const gguf last = read(place("b", {3}, 99, 32), data);  // a type that is not known at all
  CHECK(last["a"].bytes.size() == 32);
  CHECK(last["b"].type_name() == "number 99 of GGUF");
  CHECK(last["b"].bytes.size() == 68);
  for (const std::uint64_t begin : {8u, 33u, 128u, 1u << 20})
    CHECK(test::missing_in(test::error_of([&] { read(place("b", {1}, 99, begin), data); }),
                           {path + ": tensor \"b\": "}) == "");
}
