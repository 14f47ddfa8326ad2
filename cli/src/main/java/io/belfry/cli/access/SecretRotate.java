package io.belfry.cli.access;

import io.belfry.cli.verb.Complaint;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "rotate",
    description =
        "Encrypts the secrets of all namespaces with the first key of secret.keyFile. It can be repeated at any time; needs an admin of all namespaces.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry secret rotate")
final class SecretRotate extends Verb {
  private static final int NAMED_MAX = 10;

  SecretRotate(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    int resealed = 0;
    int current = 0;
    int unreadable = 0;
    List<String> names = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    String key;
    do {
      JsonNode done = client.access().rotateSecrets(cursor);
      key = done.path("key").asString("");
      resealed += done.path("resealed").asInt();
      current += done.path("current").asInt();
      unreadable += done.path("unreadable").size();
      done.path("unreadable")
          .valueStream()
          .limit(NAMED_MAX - names.size())
          .forEach(name -> names.add(name.asString("")));
      cursor = done.path("next").asStringOpt();
    } while (cursor.isPresent());
    report.say(
        resealed + " secrets are encrypted with key " + key + " now, " + current + " were before.");
    if (unreadable > 0) {
      throw new Complaint(unreadable + " secrets cannot be decrypted with a key of this node: "
          + String.join(", ", names) + (unreadable > names.size() ? ", …" : "")
          + ". Add the key that encrypted them to secret.keyFile, or store them again.");
    }
    return 0;
  }
}
