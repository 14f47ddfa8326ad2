package io.belfry.model.cron;

/** The languages of {@link Cron#describe}. */
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
