import { expect, test } from 'vitest'

import { inEveryRevision } from './support.ts'

inEveryRevision((open, revision) => {
  test.each([
    ['simple-prompt', undefined, 'This is a simple prompt without arguments.'],
    ['args-prompt', { city: 'Oslo' }, "What's weather in Oslo?"],
    ['args-prompt', { city: 'Austin', state: 'Texas' }, "What's weather in Austin, Texas?"],
    [
      'completable-prompt',
      { department: 'Sales', name: 'Eve' },
      'Please promote Eve to the head of the Sales team.',
    ],
  ])('%s with %o', async (name, args, text) => {
    await using client = await open()

    const { messages } = await client.getPrompt(name, args)

    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text } }])
  })

  test('resource-prompt has a resource in it', async () => {
    await using client = await open()

    const { messages } = await client.getPrompt('resource-prompt', {
      resourceType: 'Blob',
      resourceId: '3',
    })

    expect(messages[0]?.content).toMatchObject({
      text: 'This prompt includes the Blob resource with id: 3. Please analyze the following resource:',
    })
    expect(messages[1]?.content).toMatchObject({
      type: 'resource',
      resource: { uri: 'demo://resource/dynamic/blob/3' },
    })
  })

  test.each([
    ['args-prompt', {}, 'city'],
    ['resource-prompt', { resourceType: 'Film', resourceId: '3' }, 'Must be Text or Blob.'],
    ['resource-prompt', { resourceType: 'Text', resourceId: '1e3' }, 'positive integer'],
  ])('%s refuses %o', async (name, args, why) => {
    await using client = await open()

    await expect(client.getPrompt(name, args)).rejects.toMatchObject({
      code: 'invalid_params',
      message: expect.stringContaining(why) as string,
    })
  })

  test('completes departments, and then only the names that work there', async () => {
    await using client = await open()
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const

    const departments = await client.complete(ref, { name: 'department', value: 'S' })
    const names = await client.complete(
      ref,
      { name: 'name', value: '' },
      { known: { department: 'Marketing' } },
    )

    expect(departments.values).toEqual(['Sales', 'Support'])
    // What is filled in already came to completion with 2025-06-18.
    expect(names.values).toEqual(revision >= '2025-06-18' ? ['Grace', 'Henry', 'Iris'] : [])
  })

  test('completes the type and the id of a resource', async () => {
    await using client = await open()
    const ref = { type: 'ref/prompt', name: 'resource-prompt' } as const

    const types = await client.complete(ref, { name: 'resourceType', value: 'B' })
    const ids = await client.complete(ref, { name: 'resourceId', value: '12' })
    const none = await client.complete(ref, { name: 'resourceId', value: '-1' })

    expect([types.values, ids.values, none.values]).toEqual([['Blob'], ['12'], []])
  })
})
