package io.belfry.core.submit;

/** The namespace takes in nothing new, because it is being deleted. Nothing was written. */
public final class NamespaceEndedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public NamespaceEndedException() {
    super(
        "The namespace takes in no new jobs and tasks, because it is being deleted, so nothing was done. Ask again in a minute: if it is not"
            + " deleted after all, it takes them in again.");
  }
}
