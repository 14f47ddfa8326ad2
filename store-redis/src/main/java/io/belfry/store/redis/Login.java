package io.belfry.store.redis;

/** Who we are to Redis. Never printed. */
record Login(String user, String password) {
  static final Login NONE = new Login("", "");

  @Override
  public String toString() {
    return user.isEmpty() && password.isEmpty() ? "nobody" : "user '" + user + "', password hidden";
  }
}
