import { createTaskRunner } from '@parley/server-kit/threads'

import type { RunPageTask } from './page-tasks.ts'

/** The same from where this file is written and from where it is built. */
const entry = new URL('../../dist/task/worker.js', import.meta.url)

/** One for all servers of this process: threads are kept for the next page. */
export const runInThread: RunPageTask = createTaskRunner({ entry })
