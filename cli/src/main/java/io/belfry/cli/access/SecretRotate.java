package io.belfry.cli.access;

import io.belfry.cli.verb.CliException;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "rotate",
    description =
        "Re-encrypt the secrets of all namespaces with the first key of secret.keyFile. Can be repeated at any time. Requires the role admin in all namespaces.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry secret rotate")
final class SecretRotate extends Verb {
  private static final int NAMED_MAX = 10;

  SecretRotate(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
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
    printer.say(
        resealed + " secrets re-encrypted with key " + key + ", " + current + " already used it.");
    if (unreadable > 0) {
      throw new CliException(
          unreadable + " secrets cannot be decrypted with the keys of this node: "
              + String.join(", ", names) + (unreadable > names.size() ? ", …" : "")
              + ". Add the key that encrypted them to secret.keyFile, or store them again.");
    }
    return 0;
  }
}
