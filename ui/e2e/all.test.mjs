/** All browser tests, in one process and one browser. */
import './real.test.mjs';
import './session.test.mjs';
import './jobs.test.mjs';
import './tasks.test.mjs';
import './frame.test.mjs';
