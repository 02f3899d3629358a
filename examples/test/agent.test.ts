import { createScriptedModel } from '@parley/host/models'
import { connect, toolOutput } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { clientTasks } from '@parley/mcp/tasks'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { createLibrarian } from '../agent.ts'

test('the librarian reads without asking, asks before it moves, and reports', async () => {
  const path = z.object({ path: z.string() })
  const shelves = createServer({ name: 'files', version: '1.0.0' })
  const moved: string[] = []
  shelves.tool('read_file', { inputSchema: path }, () => 'A tale of two cities')
  shelves.tool('move_file', { inputSchema: path }, (given) => void moved.push(given.path))
  const model = createScriptedModel(
    [
      { calls: [{ name: 'files__read_file', arguments: { path: 'dickens.txt' } }] },
      { calls: [{ name: 'files__move_file', arguments: { path: 'dickens.txt' } }] },
      'dickens.txt is in its place.',
    ],
    { announcement: '' },
  )
  const target = { open: (options: object) => connect(shelves, options), hash: 'files' }
  const audit = { append: async () => ({ written: true, seq: 1, hash: '' }) as const }
  const questions: string[] = []
  await using client = await connect(createLibrarian(model, { name: 'files', target }, audit), {
    extensions: [clientTasks()],
    elicit: ({ message }) => {
      questions.push(message)
      return { action: 'accept', content: { answer: 'Allow it once' } }
    },
  })
  const told: (string | undefined)[] = []

  const prompt = 'Where does Dickens belong?'
  const onProgress = ({ message }: { message?: string | undefined }): void =>
    void told.push(message)
  const result = await client.callTool('librarian', { prompt }, { onProgress })

  expect(toolOutput(result)).toBe('dickens.txt is in its place.')
  expect(questions).toEqual([expect.stringContaining('May the agent call move_file of files?')])
  expect(moved).toEqual(['dickens.txt'])
  expect(told.join()).toContain('move_file')
})
