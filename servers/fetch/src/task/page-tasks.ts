import type { RunTask } from '@parley/server-kit/threads'

import type { SimplifiedPage } from '../page/simplify.ts'

/** What is done with the bytes of strangers, who can make any of it take long. */
export interface PageTasks {
  readonly simplify: { readonly input: string; readonly output: SimplifiedPage | undefined }
  readonly readPdf: { readonly input: Uint8Array; readonly output: string }
  readonly askRobots: { readonly input: RobotsQuestion; readonly output: boolean }
}

/** Whether a host lets somebody read a page. */
export interface RobotsQuestion {
  readonly robotsUrl: string
  readonly text: string
  readonly page: string
  readonly userAgent: string
}

export type TaskName = keyof PageTasks

/** Runs one of these. */
export type RunPageTask = RunTask<PageTasks>

type Tasks = {
  readonly [Name in TaskName]: (
    input: PageTasks[Name]['input'],
    signal: AbortSignal,
  ) => Promise<PageTasks[Name]['output']>
}

/** What a task needs is loaded when the first of its kind comes. */
const tasks: Tasks = {
  async simplify(html) {
    const { simplifyHtml } = await import('../page/simplify.ts')
    return simplifyHtml(html)
  },
  async readPdf(bytes, signal) {
    const { readPdf } = await import('../page/pdf.ts')
    return readPdf(bytes, signal)
  },
  async askRobots({ robotsUrl, text, page, userAgent }) {
    const { default: robotsParser } = await import('robots-parser')
    // Its types speak of a module with a default, its code is a function.
    const parse = robotsParser as unknown as typeof robotsParser.default
    return parse(robotsUrl, text).isAllowed(page, userAgent) ?? true
  },
}

/** Runs a task right here: whatever else this thread has to do waits for it. */
export const runHere: RunPageTask = (name, input, signal) => tasks[name](input, signal)
