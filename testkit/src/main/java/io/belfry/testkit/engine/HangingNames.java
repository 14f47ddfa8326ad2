package io.belfry.testkit.engine;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * A name server that does not answer for hosts that end in {@value #SUFFIX}: whoever looks one up waits, deaf to interrupts as in the operating
 * system, until {@link #giveUp()}. All other hosts are looked up as usual.
 *
 * <p>Threading: safe. Java finds it as a service, once per process.
 */
public final class HangingNames extends InetAddressResolverProvider {
  public static final String SUFFIX = ".hangs.test";

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Condition GIVEN_UP = LOCK.newCondition();
  private static final AtomicInteger WAITING = new AtomicInteger();
  private static int rounds;

  /** How many look-ups hang now. */
  public static int waiting() {
    return WAITING.get();
  }

  /** Look-ups that hang now find nothing; later ones hang again. */
  public static void giveUp() {
    LOCK.lock();
    try {
      rounds++;
      GIVEN_UP.signalAll();
    } finally {
      LOCK.unlock();
    }
  }

  private static void hang() {
    LOCK.lock();
    WAITING.incrementAndGet();
    try {
      for (int round = rounds; round == rounds; ) {
        GIVEN_UP.awaitUninterruptibly();
      }
    } finally {
      WAITING.decrementAndGet();
      LOCK.unlock();
    }
  }

  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver usual = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        if (host.endsWith(SUFFIX)) {
          hang();
          throw new UnknownHostException(host + " was not looked up, on purpose");
        }
        return usual.lookupByName(host, policy);
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        return usual.lookupByAddress(address);
      }
    };
  }

  @Override
  public String name() {
    return "Belfry's test names";
  }
}
