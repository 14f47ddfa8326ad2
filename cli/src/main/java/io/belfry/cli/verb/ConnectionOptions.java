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
 * Options that select server, token and namespace: flags first, then environment variables, then the data directory of a local server.
 *
 * <p>Threading: confined to its verb.
 */
public final class ConnectionOptions {
  private static final int BYTES_MAX = 16 << 10;

  @Option(
      names = "--url",
      paramLabel = "URL",
      split = ",",
      description =
          "Server URL, such as http://127.0.0.1:8080; separate several servers of a cluster with commas. Default: BELFRY_URL, else the URL of the local server.")
  private List<String> urls = List.of();

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "API token. Other users of this machine can see it; prefer --token-file. Default: BELFRY_TOKEN, else the admin token of the local server.")
  private @Nullable String token;

  @Option(names = "--token-file", paramLabel = "FILE", description = "File with the API token.")
  private @Nullable Path tokenFile;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "Namespace to work in. Default: BELFRY_NAMESPACE, else default.")
  private @Nullable String namespace;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Data directory of a local server, which holds its URL and admin token. Default: "
              + DataDirectory.NAME + ".")
  private @Nullable Path data;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "PEM file with the CA certificates to trust. Default: the CAs of the Java runtime.")
  private @Nullable Path ca;

  /**
   * A value and its source.
   *
   * @param given whether the user gave the value or named its directory; false if the directory was only found in the current folder
   */
  private record Found(String value, String source, boolean given) {
    static Found given(String value, String source) {
      return new Found(value, source, true);
    }
  }

  private @Nullable Found address;
  private @Nullable Found key;

  BelfryClient open(VerbContext context) {
    if (token != null && tokenFile != null) {
      throw new CliException("--token and --token-file cannot be combined. Omit one of them.");
    }
    Map<String, String> environment = context.environment();
    DataDirectory directory =
        data == null ? DataDirectory.foundIn(context.folder()) : DataDirectory.named(data);
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
      return BelfryClient.open(ca == null ? settings : settings.authority(ca));
    } catch (IllegalArgumentException e) {
      throw new CliException(String.valueOf(e.getMessage()), e);
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
            () -> new CliException(
                "No server address: neither --url nor BELFRY_URL is set, and there is no " + file
                    + ", where a running server writes its address. Start a server with 'belfry server', or give its URL with --url."));
  }

  /** Refuses a found address on another machine: neither a token nor any data may be sent to it. */
  private static void requireLoopback(ClientSettings settings, Found at, DataDirectory directory) {
    if (!settings.urls().stream().allMatch(Loopback::is)) {
      throw new CliException(at.source() + " contains " + at.value()
          + ", which is not a loopback address. It is not used, because the directory was only found in the current folder"
          + " and may come from another user. If it is right, name the directory with --data "
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
      throw new CliException("No token for " + at.value()
          + ". Give one with --token, --token-file or BELFRY_TOKEN"
          + (Files.exists(file) ? "; the token in " + file + " is for another server." : "."));
    }
    return directory
        .token()
        .map(token -> new Found(token, file.toString(), directory.isNamed()))
        .orElseThrow(() -> new CliException("No token: there is no " + file
            + ". Give one with --token, --token-file or BELFRY_TOKEN."));
  }

  private Optional<Found> given(Map<String, String> environment) {
    if (token != null) {
      return Optional.of(Found.given(token, "--token"));
    }
    if (tokenFile != null) {
      Path file = tokenFile;
      return Optional.of(
          read(file).orElseThrow(() -> new CliException("There is no token file " + file + ".")));
    }
    return data == null && has(environment, "BELFRY_TOKEN")
        ? Optional.of(Found.given(environment.getOrDefault("BELFRY_TOKEN", ""), "BELFRY_TOKEN"))
        : Optional.empty();
  }

  /** Without this refusal, the author of a checkout could get the token by adding a data directory. */
  private static CliException notSent(Found said, Found at) {
    return new CliException("The token from " + said.source() + " is not sent to " + at.value()
        + ", because that address was only found in " + at.source()
        + " and may come from another user. If it is right, give it with --url or BELFRY_URL"
        + (said.source().equals("BELFRY_TOKEN") ? ", or unset BELFRY_TOKEN." : "."));
  }

  /** Whether the address is that of the local server; its token must not go to any other server. */
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

  /** Reads a token file that the user named; it may be a pipe or a symbolic link. */
  private static Optional<Found> read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw new CliException(file + " must have at most " + BYTES_MAX
            + " bytes, because it holds a token, but is longer. Is it the right file?");
      }
      return Optional.of(Found.given(DataDirectory.oneLine(file, bytes), file.toString()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw DataDirectory.cannotRead(file, e);
    }
  }

  /** The same failure with the source of the address or token, which the user can change. */
  CliException explain(BelfryException e) {
    String message = String.valueOf(e.getMessage());
    if (e instanceof UnreachableException && address != null) {
      return new CliException(message + " The address is from " + address.source() + ".", e);
    }
    if (e instanceof ApiException refusal) {
      if (refusal.status() == 401 && key != null) {
        return new CliException(message + " The token is from " + key.source() + ".", e);
      }
      Optional<String> field = refusal.field().filter(name -> !message.contains(name));
      return new CliException(message + field.map(name -> " (" + name + ")").orElse(""), e);
    }
    return new CliException(message, e);
  }
}
