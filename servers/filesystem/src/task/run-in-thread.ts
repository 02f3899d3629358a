import { createTaskRunner } from '@parley/server-kit/threads'

import { runHere, type RunEditTask } from './edit-tasks.ts'

/** The same from where this file is written and from where it is built. */
const entry = new URL('../../dist/task/worker.js', import.meta.url)
const inThread: RunEditTask = createTaskRunner({ entry })

/** As much as takes a few milliseconds at worst. */
const most = { characters: 64 * 1024, lines: 1_000 }

/** Runs what is small right here, and the rest in a thread that is ended when it takes too long. */
export const runEditTask: RunEditTask = (name, input, signal) =>
  (isSmall(input) ? runHere : inThread)(name, input, signal)

function isSmall(input: unknown): boolean {
  const texts = textsIn(input)
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  if (characters > most.characters) return false
  return texts.reduce((sum, text) => sum + text.split('\n').length, 0) <= most.lines
}

/** Every text in a value, at any depth. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
