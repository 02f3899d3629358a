/** The thread in which large files are edited and compared. */

import { answerTasks } from '@parley/server-kit/threads'

import { runHere } from './edit-tasks.ts'

answerTasks(runHere)
