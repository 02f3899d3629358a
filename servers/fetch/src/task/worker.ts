/** The thread in which pages of strangers are read. */

import { answerTasks } from '@parley/server-kit/threads'

import { runHere } from './page-tasks.ts'

answerTasks(runHere)
