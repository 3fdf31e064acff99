#include <gtest/gtest.h>

#include "model/wire_scan.h"
#include "unit/model/onnx_text.h"

namespace tarn::model {
namespace {

using onnx::TensorProto;

// What load_tensor makes of it, as codes or values.
std::string loaded(const TensorProto& tensor) {
  const ScratchFolder scratch;
  const auto result = load_tensor(scratch.write("t.pb", tensor.SerializeAsString()));
  if (!result) return result.faults()[0].code;
  std::string out = to_string(result->type()) + ":";
  if (result->is_strings()) {
    for (const std::string& s : result->strings()) out += " " + s;
  } else {
    for (const double v : result->reals()) out += " " + std::to_string(v).substr(0, 4);
  }
  return out;
}

TensorProto tensor(int type, std::vector<int64_t> dims) {
  TensorProto t;
  t.set_data_type(type);
  for (const int64_t d : dims) t.add_dims(d);
  return t;
}

TEST(TensorData, EveryTypedField) {
  TensorProto t = tensor(TensorProto::FLOAT, {2});
  t.add_float_data(1.5), t.add_float_data(-2);
  EXPECT_EQ(loaded(t), "float32[2]: 1.50 -2.0");

  t = tensor(TensorProto::DOUBLE, {1});
  t.add_double_data(2.5);
  EXPECT_EQ(loaded(t), "float64[1]: 2.50");

  for (const int type : {TensorProto::INT8, TensorProto::INT16, TensorProto::INT32}) {
    t = tensor(type, {2});
    t.add_int32_data(-3), t.add_int32_data(100);
    EXPECT_NE(loaded(t).find("[2]: -3.0 100."), std::string::npos) << loaded(t);
  }
  for (const int type : {TensorProto::UINT8, TensorProto::UINT16, TensorProto::BOOL}) {
    t = tensor(type, {1});
    t.add_int32_data(1);
    EXPECT_NE(loaded(t).find("[1]: 1.00"), std::string::npos) << loaded(t);
  }
  t = tensor(TensorProto::INT64, {1});
  t.add_int64_data(-7);
  EXPECT_EQ(loaded(t), "int64[1]: -7.0");
  for (const int type : {TensorProto::UINT32, TensorProto::UINT64}) {
    t = tensor(type, {1});
    t.add_uint64_data(9);
    EXPECT_NE(loaded(t).find("[1]: 9.00"), std::string::npos) << loaded(t);
  }
  t = tensor(TensorProto::STRING, {2});
  t.add_string_data("cat"), t.add_string_data("dog");
  EXPECT_EQ(loaded(t), "string[2]: cat dog");
}

// 16-bit and smaller floats are stored as bit patterns, 4- and 2-bit types several to a byte, one byte per entry.
TEST(TensorData, BitPatternsInInt32Data) {
  TensorProto t = tensor(TensorProto::FLOAT16, {2});
  t.add_int32_data(0x3C00), t.add_int32_data(0xC000);
  EXPECT_EQ(loaded(t), "float16[2]: 1.00 -2.0");
  t = tensor(TensorProto::BFLOAT16, {1});
  t.add_int32_data(0x3FC0);
  EXPECT_EQ(loaded(t), "bfloat16[1]: 1.50");
  t = tensor(TensorProto::FLOAT8E4M3FN, {1});
  t.add_int32_data(0x38);
  EXPECT_EQ(loaded(t), "float8e4m3fn[1]: 1.00");
  t = tensor(TensorProto::INT4, {3});
  t.add_int32_data(0xF1), t.add_int32_data(0x02);
  EXPECT_EQ(loaded(t), "int4[3]: 1.00 -1.0 2.00");
  t = tensor(TensorProto::UINT2, {4});
  t.add_int32_data(0b11100100);
  EXPECT_EQ(loaded(t), "uint2[4]: 0.00 1.00 2.00 3.00");
  t = tensor(TensorProto::FLOAT4E2M1, {2});
  t.add_int32_data(0xF3);
  EXPECT_EQ(loaded(t), "float4e2m1[2]: 1.50 -6.0");
}

TEST(TensorData, RawData) {
  TensorProto t = tensor(TensorProto::INT16, {2});
  t.set_raw_data(std::string("\x01\x00\xff\xff", 4));
  EXPECT_EQ(loaded(t), "int16[2]: 1.00 -1.0");
  t = tensor(TensorProto::UINT4, {3});
  t.set_raw_data(std::string("\x21\x03", 2));
  EXPECT_EQ(loaded(t), "uint4[3]: 1.00 2.00 3.00");
  t = tensor(TensorProto::FLOAT, {});
  t.set_raw_data(std::string("\x00\x00\x80\x3f", 4));
  EXPECT_EQ(loaded(t), "float32[]: 1.00");
}

TEST(TensorData, SizesMustMatch) {
  TensorProto t = tensor(TensorProto::FLOAT, {3});
  EXPECT_EQ(loaded(t), "E109");  // nothing at all
  t.set_raw_data(std::string(8, '\0'));
  EXPECT_EQ(loaded(t), "E109");
  t.set_raw_data(std::string(16, '\0'));
  EXPECT_EQ(loaded(t), "E109");
  t.set_raw_data(std::string(2000, '\0'));  // large enough to stay in the file
  EXPECT_EQ(loaded(t), "E109");
  t.clear_raw_data();
  t.add_float_data(1);
  EXPECT_EQ(loaded(t), "E109");
  for (int i = 0; i < 500; ++i) t.add_float_data(1);
  EXPECT_EQ(loaded(t), "E109");

  t = tensor(TensorProto::INT64, {2});
  t.add_int64_data(1);
  EXPECT_EQ(loaded(t), "E109");
  t = tensor(TensorProto::STRING, {2});
  t.add_string_data("one");
  EXPECT_EQ(loaded(t), "E109");
  t = tensor(TensorProto::INT4, {3});
  t.set_raw_data("x");
  EXPECT_EQ(loaded(t), "E109");
  t = tensor(TensorProto::FLOAT, {0, 5});
  EXPECT_EQ(loaded(t), "float32[0,5]:");
  t.add_float_data(1);
  EXPECT_EQ(loaded(t), "E109");
}

TEST(TensorData, WrongFields) {
  TensorProto t = tensor(TensorProto::FLOAT, {1});
  t.add_int32_data(1);
  EXPECT_EQ(loaded(t), "E107");
  t.add_float_data(1);
  EXPECT_EQ(loaded(t), "E107");
  t = tensor(TensorProto::STRING, {1});
  t.set_raw_data("x");
  EXPECT_EQ(loaded(t), "E109");
  t.set_raw_data(std::string(2000, 'x'));
  EXPECT_EQ(loaded(t), "E107");
  t = tensor(TensorProto::FLOAT, {300});
  for (int i = 0; i < 2000; ++i) t.add_int64_data(1);
  EXPECT_EQ(loaded(t), "E107");
  EXPECT_EQ(loaded(tensor(0, {1})), "E107");
  EXPECT_EQ(loaded(tensor(999, {1})), "E107");
}

TEST(TensorData, AbsurdShapes) {
  EXPECT_EQ(loaded(tensor(TensorProto::FLOAT, {-1})), "E207");
  EXPECT_EQ(loaded(tensor(TensorProto::FLOAT, {int64_t{1} << 62, int64_t{1} << 62})), "E207");
  EXPECT_EQ(loaded(tensor(TensorProto::FLOAT, {int64_t{1} << 40, 0})), "E207");
  EXPECT_EQ(loaded(tensor(TensorProto::UINT2, {INT64_MAX})), "E207");
  EXPECT_EQ(loaded(tensor(TensorProto::FLOAT, std::vector<int64_t>(9, 1))), "E207");
  EXPECT_EQ(loaded(tensor(TensorProto::FLOAT, std::vector<int64_t>(100000, 1))), "E207");
  EXPECT_EQ(loaded(tensor(TensorProto::STRING, {INT64_MAX})), "E207");
}

// Large data takes another path than small data; both must give the same.
TEST(TensorData, LargeFieldsEqualSmallOnes) {
  for (const int count : {10, 1500}) {
    TensorProto t = tensor(TensorProto::INT8, {count});
    for (int i = 0; i < count; ++i) t.add_int32_data(i % 200 - 100);
    const ScratchFolder scratch;
    const auto ints = load_tensor(scratch.write("i.pb", t.SerializeAsString()));
    ASSERT_TRUE(ints.ok());
    for (int i = 0; i < count; ++i) EXPECT_EQ(ints->integer(i), i % 200 - 100);

    t = tensor(TensorProto::COMPLEX64, {count});
    for (int i = 0; i < 2 * count; ++i) t.add_float_data(1);
    EXPECT_TRUE(load_tensor(scratch.write("c.pb", t.SerializeAsString())).ok());

    t = tensor(TensorProto::UINT32, {count});
    for (int i = 0; i < count; ++i) t.add_uint64_data(4000000000u + static_cast<unsigned>(i));
    const auto big = load_tensor(scratch.write("u.pb", t.SerializeAsString()));
    ASSERT_TRUE(big.ok());
    EXPECT_EQ(big->integer(count - 1), 4000000000 + count - 1);
  }
}

// Data in pieces: protobuf joins repeated fields, and the last of several raw_data counts.
TEST(TensorData, FieldsGivenTwice) {
  TensorProto first = tensor(TensorProto::FLOAT, {600}), second;
  for (int i = 0; i < 300; ++i) first.add_float_data(1), second.add_float_data(2);
  const std::string joined = first.SerializeAsString() + second.SerializeAsString();
  const ScratchFolder scratch;
  const auto result = load_tensor(scratch.write("two.pb", joined));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->real(299), 1);
  EXPECT_EQ(result->real(300), 2);
}

// A tensor whose data looks like the loader's own mark for data taken out.
TEST(TensorData, MarkersInFilesAreData) {
  TensorProto t = tensor(TensorProto::UINT8, {16});
  t.set_raw_data(std::string("tarnblob\0\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(loaded(t).substr(0, 20), "uint8[16]: 116. 97.0");
}

TEST(WireScan, TakesOutLargeDataOnly) {
  TensorProto t = tensor(TensorProto::UINT8, {5000});
  t.set_raw_data(std::string(5000, 'x'));
  const std::string bytes = t.SerializeAsString();
  Skeleton skeleton;
  EXPECT_FALSE(
      scan_wire({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, RootMessage::tensor, &skeleton));
  ASSERT_EQ(skeleton.blobs.size(), 1u);
  EXPECT_EQ(skeleton.blobs[0].bytes.size(), 5000u);
  EXPECT_EQ(skeleton.blobs[0].bytes[0], 'x');
  EXPECT_LT(skeleton.bytes.size(), 60u);
  TensorProto read;
  ASSERT_TRUE(read.ParseFromString(skeleton.bytes));
  EXPECT_EQ(find_blob(read.raw_data(), skeleton.blobs), &skeleton.blobs[0]);
  EXPECT_EQ(find_blob("other", skeleton.blobs), nullptr);
}

TEST(WireScan, BoundsWhatParsingCosts) {
  // Two bytes on the wire become a NodeProto of hundreds.
  std::string nodes;
  for (int i = 0; i < 5'000'000; ++i) nodes += std::string("\x0a\x00", 2);
  std::string file = "\x3a";
  for (size_t n = nodes.size(); n > 0; n >>= 7) file += static_cast<char>((n & 0x7F) | (n >> 7 ? 0x80 : 0));
  file += nodes;
  Skeleton skeleton;
  const auto fault =
      scan_wire({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, RootMessage::model, &skeleton);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, ScanFault::Kind::too_large);
}

TEST(WireScan, BoundsDepth) {
  // attribute.g.node.attribute.g.node ...
  std::string inner;
  for (int i = 0; i < 399; ++i) {
    std::string outer(1, i % 3 == 0 ? '\x32' : i % 3 == 1 ? '\x2a' : '\x0a');
    for (size_t n = inner.size();; n >>= 7) {
      outer += static_cast<char>((n & 0x7F) | (n >> 7 ? 0x80 : 0));
      if (n >> 7 == 0) break;
    }
    inner = outer + inner;
  }
  const std::string file = "\x3a" + std::string(1, static_cast<char>(0x80 | (inner.size() & 0x7F))) +
                           std::string(1, static_cast<char>(inner.size() >> 7)) + inner;
  const ScratchFolder scratch;
  EXPECT_EQ(codes(load_onnx(scratch.write("deep.onnx", file))), "E102");
}

}  // namespace
}  // namespace tarn::model
