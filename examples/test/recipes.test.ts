import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createRecipeServer } from '../recipes.ts'

const open = () =>
  createTestClient(
    createRecipeServer({ italian: '# Risotto', mexican: '# Tacos', thai: '# Curry' }),
  )

test('recipes are read by cuisine, and cuisines are completed [REFS-10]', async () => {
  await using client = await open()
  const reference = { type: 'ref/resource', uri: 'file://recipes/{cuisine}' } as const

  const listed = await client.listResources().toArray()
  const { contents } = await client.readResource('file://recipes/italian')
  const { values } = await client.complete(reference, { name: 'cuisine', value: 'M' })

  expect(listed.map(({ uri }) => uri)).toContain('file://recipes/thai')
  expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: '# Risotto' }])
  expect(values).toEqual(['mexican'])
  await expect(client.readResource('file://recipes/none')).rejects.toMatchObject({
    code: 'resource_not_found',
  })
})

test('the prompt carries the recipes it plans with [REFS-10]', async () => {
  await using client = await open()
  const reference = { type: 'ref/prompt', name: 'weekly-meal-planner' } as const

  const { values } = await client.complete(reference, { name: 'cuisine', value: 't' })
  const { messages } = await client.getPrompt('weekly-meal-planner', { cuisine: 'thai' })

  expect(values).toEqual(['thai'])
  expect(messages.map(({ content }) => content)).toMatchObject([
    { type: 'text' },
    { type: 'resource', resource: { uri: 'file://recipes/thai', text: '# Curry' } },
  ])
})
