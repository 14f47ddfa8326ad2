package io.belfry.server.work;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.core.execute.Executor;
import io.belfry.executors.script.ScriptExecutor;
import io.belfry.model.task.Result;
import io.belfry.server.config.ExecutorSettings;

/** Rejects scripts of a namespace that is not allowed to run scripts on this node. Threading: immutable. */
record ScriptsRefused(String namespace) implements Executor {
  @Override
  public String type() {
    return ScriptExecutor.TYPE;
  }

  @Override
  public Result execute(AttemptContext attempt) throws AttemptException {
    throw AttemptException.rejected(
        "executor.type must not be script in namespace " + namespace
            + ", because " + ExecutorSettings.SCRIPT_NAMESPACES.key()
            + " of this node does not list the namespace. Add it there, or run the task in a namespace that may run scripts.");
  }
}
