package io.belfry.core.record;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An executor's settings as a tree, each value after a type tag. Threading: stateless. */
final class SettingsCodec {
  private static final int TEXT = 0;
  private static final int WHOLE = 1;
  private static final int REAL = 2;
  private static final int FALSE = 3;
  private static final int TRUE = 4;
  private static final int LIST = 5;
  private static final int MAP = 6;
  private static final int BIG = 7;

  /** More than the model allows, and far less than would overflow the stack. */
  private static final int DEPTH_MAX = 64;

  private SettingsCodec() {}

  static void write(Writer out, Map<?, ?> settings) {
    out.number(settings.size());
    settings.forEach((key, value) -> {
      out.text((String) key);
      writeValue(out, value);
    });
  }

  static Map<String, Object> read(Reader in) {
    return readMap(in, 1);
  }

  private static void writeValue(Writer out, Object value) {
    switch (value) {
      case String text -> {
        out.number(TEXT);
        out.text(text);
      }
      case Long whole -> {
        out.number(WHOLE);
        out.signed(whole);
      }
      case Double real -> {
        out.number(REAL);
        out.real(real);
      }
      case Boolean flag -> out.number(flag ? TRUE : FALSE);
      case List<?> list -> {
        out.number(LIST);
        out.number(list.size());
        list.forEach(each -> writeValue(out, each));
      }
      case Map<?, ?> map -> {
        out.number(MAP);
        write(out, map);
      }
      case BigInteger big -> {
        byte[] bytes = big.toByteArray();
        out.number(BIG);
        out.number(bytes.length);
        out.bytes(ByteBuffer.wrap(bytes));
      }
      default ->
        throw new IllegalStateException(
            "executor settings contain a " + value.getClass().getName()
                + ", which the model does not allow and records cannot store");
    }
  }

  private static Object readValue(Reader in, int depth) {
    int tag = in.integer();
    return switch (tag) {
      case TEXT -> in.text();
      case WHOLE -> in.signed();
      case REAL -> in.real();
      case FALSE -> false;
      case TRUE -> true;
      case LIST -> readList(in, depth + 1);
      case MAP -> readMap(in, depth + 1);
      case BIG -> readBig(in);
      default -> throw in.damaged("a setting with the unknown tag " + tag);
    };
  }

  private static List<Object> readList(Reader in, int depth) {
    checkDepth(in, depth);
    int count = in.count();
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(readValue(in, depth));
    }
    return list;
  }

  private static Map<String, Object> readMap(Reader in, int depth) {
    checkDepth(in, depth);
    int count = in.count();
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String key = in.text();
      in.putNew(map, key, readValue(in, depth));
    }
    return map;
  }

  private static BigInteger readBig(Reader in) {
    ByteBuffer view = in.bytes(in.count());
    byte[] bytes = new byte[view.remaining()];
    view.get(bytes);
    return new BigInteger(bytes); // throws a NumberFormatException for zero bytes
  }

  private static void checkDepth(Reader in, int depth) {
    if (depth > DEPTH_MAX) {
      throw in.damaged("settings nested deeper than " + DEPTH_MAX + " levels");
    }
  }
}
