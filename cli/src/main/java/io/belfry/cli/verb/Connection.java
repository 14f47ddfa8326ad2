package io.belfry.cli.verb;

import io.belfry.client.ApiException;
import io.belfry.client.BelfryClient;
import io.belfry.client.BelfryException;
import io.belfry.client.ClientSettings;
import io.belfry.client.UnreachableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which server, as whom, in which namespace: by flags, then by variables, then by the data directory of a server on this machine.
 *
 * <p>Threading: confined to its verb.
 */
public final class Connection {
  private static final int BYTES_MAX = 16 << 10;

  @Option(
      names = "--url",
      paramLabel = "URL",
      split = ",",
      description =
          "Server, such as http://127.0.0.1:8080; several of a cluster with commas. Default: BELFRY_URL, else the local server's.")
  private List<String> urls = List.of();

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "Default: BELFRY_TOKEN, else the local server's.")
  private @Nullable String token;

  @Option(names = "--token-file", paramLabel = "FILE", description = "The same, from a file.")
  private @Nullable Path tokenFile;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "Default: BELFRY_NAMESPACE, else default.")
  private @Nullable String namespace;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory of a local server. Default: " + DataDirectory.NAME + ".")
  private @Nullable Path data;

  @Option(
      names = "--authority",
      paramLabel = "FILE",
      description = "PEM file with the authority that signed the server's certificate.")
  private @Nullable Path authority;

  /**
   * A value and who said it.
   *
   * @param given whether the user named it, or the folder that it stands in; not, if it was only found in the current folder
   */
  private record Found(String value, String source, boolean given) {
    static Found given(String value, String source) {
      return new Found(value, source, true);
    }
  }

  private @Nullable Found address;
  private @Nullable Found key;

  BelfryClient open(Surroundings around) {
    if (token != null && tokenFile != null) {
      throw new Complaint(
          "--token and --token-file exclude each other, because there is one token. Leave one out.");
    }
    Map<String, String> environment = around.environment();
    DataDirectory directory =
        data == null ? DataDirectory.foundIn(around.folder()) : DataDirectory.named(data);
    Found at = address(environment, directory);
    address = at;
    try {
      ClientSettings settings = settings(at.value());
      if (!at.given()) {
        requireLoopback(settings, at, directory);
      }
      Found by = key(environment, directory, at);
      key = by;
      settings = settings.token(by.value());
      String chosen = namespace != null ? namespace : environment.get("BELFRY_NAMESPACE");
      if (chosen != null && !chosen.isBlank()) {
        settings = settings.namespace(chosen.strip());
      }
      return BelfryClient.open(authority == null ? settings : settings.authority(authority));
    } catch (IllegalArgumentException e) {
      throw new Complaint(String.valueOf(e.getMessage()), e);
    }
  }

  private static ClientSettings settings(String urls) {
    return ClientSettings.at(Arrays.stream(urls.split(",")).map(String::strip).toList());
  }

  private Found address(Map<String, String> environment, DataDirectory directory) {
    if (!urls.isEmpty()) {
      return Found.given(String.join(",", urls), "--url");
    }
    if (data == null && has(environment, "BELFRY_URL")) {
      return Found.given(environment.getOrDefault("BELFRY_URL", ""), "BELFRY_URL");
    }
    Path file = directory.addressFile();
    return directory
        .address()
        .map(url -> new Found(Loopback.ofWildcard(url), file.toString(), directory.isNamed()))
        .orElseThrow(
            () -> new Complaint(
                "No server is known: neither --url nor BELFRY_URL is given, and there is no " + file
                    + ", where a running server writes its address. Start one with 'belfry server', or name one with --url."));
  }

  /** An address that was only found gets nothing if it is on another machine: neither a token nor what a command sends. */
  private static void requireLoopback(ClientSettings settings, Found at, DataDirectory directory) {
    if (!settings.urls().stream().allMatch(Loopback::is)) {
      throw new Complaint(at.source() + " names " + at.value()
          + ", which is not a loopback address. It is not used, because the directory was only found in the current folder,"
          + " and anybody may have written it. If it is right, name the directory with --data "
          + directory.addressFile().getParent()
          + ". " + DataDirectory.WITHOUT);
    }
  }

  private Found key(Map<String, String> environment, DataDirectory directory, Found at) {
    Optional<Found> said = given(environment);
    if (said.isPresent()) {
      if (!at.given()) {
        throw notSent(said.get(), at);
      }
      return said.get();
    }
    Path file = directory.tokenFile();
    if (!isLocal(at, directory)) {
      throw new Complaint("No token is known for " + at.value()
          + ". Give one with --token, --token-file or BELFRY_TOKEN"
          + (Files.exists(file) ? "; the one in " + file + " is for another server." : "."));
    }
    return directory
        .token()
        .map(token -> new Found(token, file.toString(), directory.isNamed()))
        .orElseThrow(() -> new Complaint("No token is known: there is no " + file
            + ". Give one with --token, --token-file or BELFRY_TOKEN."));
  }

  private Optional<Found> given(Map<String, String> environment) {
    if (token != null) {
      return Optional.of(Found.given(token, "--token"));
    }
    if (tokenFile != null) {
      Path file = tokenFile;
      return Optional.of(
          read(file).orElseThrow(() -> new Complaint("There is no token file " + file + ".")));
    }
    return data == null && has(environment, "BELFRY_TOKEN")
        ? Optional.of(Found.given(environment.getOrDefault("BELFRY_TOKEN", ""), "BELFRY_TOKEN"))
        : Optional.empty();
  }

  /** Whoever made the folder, a checkout of others perhaps, would get the token. */
  private static Complaint notSent(Found said, Found at) {
    return new Complaint("The token from " + said.source() + " is not sent to " + at.value()
        + ", because that address was only found in " + at.source()
        + ", and anybody may have written it. If it is right, give it with --url or BELFRY_URL"
        + (said.source().equals("BELFRY_TOKEN") ? ", or unset BELFRY_TOKEN." : "."));
  }

  /** The token of a local server is not for others, whoever they say they are. */
  private static boolean isLocal(Found at, DataDirectory directory) {
    Optional<String> local = directory
        .address()
        .map(Loopback::ofWildcard)
        .filter(url -> trimmed(url).equals(trimmed(Loopback.ofWildcard(at.value()))));
    if (local.isPresent() && !directory.isNamed()) {
      var found = new Found(local.get(), directory.addressFile().toString(), false);
      requireLoopback(settings(found.value()), found, directory);
    }
    return local.isPresent();
  }

  private static String trimmed(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  private static boolean has(Map<String, String> environment, String name) {
    return !environment.getOrDefault(name, "").isBlank();
  }

  /** A file that the user named, be it a pipe or a link. */
  private static Optional<Found> read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw new Complaint(file + " must have at most " + BYTES_MAX
            + " bytes, because it holds a token, but is longer. Is it the right file?");
      }
      return Optional.of(Found.given(DataDirectory.oneLine(file, bytes), file.toString()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw DataDirectory.cannotRead(file, e);
    }
  }

  /** The same problem, with where the address or the token came from: that is what the user can change. */
  Complaint explain(BelfryException e) {
    String message = String.valueOf(e.getMessage());
    if (e instanceof UnreachableException && address != null) {
      return new Complaint(message + " The address is from " + address.source() + ".", e);
    }
    if (e instanceof ApiException refusal) {
      if (refusal.status() == 401 && key != null) {
        return new Complaint(message + " The token is from " + key.source() + ".", e);
      }
      Optional<String> field = refusal.field().filter(name -> !message.contains(name));
      return new Complaint(message + field.map(name -> " (" + name + ")").orElse(""), e);
    }
    return new Complaint(message, e);
  }
}
