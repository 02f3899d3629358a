import { expect, test } from 'vitest'

import { createEverything } from '../support/everything.ts'
import { describeMatrix } from '../support/matrix.ts'

describeMatrix('an error', ({ rawClient }) => {
  test('says in one short sentence what is wrong [N11-BASE-03]', async () => {
    const client = await rawClient(createEverything())
    const long = 'x'.repeat(10_000)

    const answers = [
      await client.request('no/such/method'),
      await client.request(long),
      await client.request('tools/call', {}),
      await client.request('tools/call', { name: long }),
      await client.request('tools/call', { name: 'forecast', arguments: long }),
      await client.request('tools/list', { cursor: long }),
      await client.request('prompts/get', { name: 'review' }),
      await client.request('prompts/get', { name: long }),
      await client.request('resources/read', { uri: `none://${long}` }),
      await client.request('logging/setLevel', { level: long }),
      await client.request('completion/complete', { ref: { type: long } }),
    ]

    const messages = answers.map(({ error }) => error?.message ?? 'no error')
    expect(messages.filter((message) => message === 'no error')).toEqual([])
    expect(messages.filter((message) => /[\r\n]/.test(message))).toEqual([])
    expect(messages.filter((message) => message.length > 250)).toEqual([])
    await client.close()
  })
})
