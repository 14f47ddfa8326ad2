package io.belfry.core.submit;

/** The namespace accepts nothing new, because it is being deleted. Nothing was written. */
public final class NamespaceEndedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public NamespaceEndedException() {
    super(
        "The namespace accepts no new jobs and tasks, because it is being deleted, so nothing was done. Try again in a minute: if the namespace"
            + " is not deleted after all, it accepts them again.");
  }
}
