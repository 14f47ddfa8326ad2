package io.belfry.model.cron;

/** The languages that {@link Cron#describe} speaks. */
public enum Language {
  ENGLISH,
  CHINESE;

  DescriptionRenderer wording() {
    return switch (this) {
      case ENGLISH -> new English();
      case CHINESE -> new Chinese();
    };
  }
}
