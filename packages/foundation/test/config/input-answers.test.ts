import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { createInputAnswers, type InputDefinition } from '@parley/foundation/config'
import { openSecretStore } from '@parley/foundation/secrets'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

const region: InputDefinition = { type: 'pickString', id: 'region', options: ['eu', 'us'] }
const key: InputDefinition = { type: 'promptString', id: 'key', isPassword: true }

test('keeps passwords in the secret store and the rest in a file [CFG-09]', async () => {
  const folder = folderWith({})
  const secrets = await openSecretStore({ directory: join(folder, 'secrets'), passphrase: 'words' })
  const answers = createInputAnswers(folder, async () => secrets)

  await answers.set('/a/mcp.json', region, 'us')
  await answers.set('/a/mcp.json', key, 'hunter2')

  expect(await answers.get('/a/mcp.json', region)).toBe('us')
  expect(await answers.get('/a/mcp.json', key)).toBe('hunter2')
  expect(await answers.get('/b/mcp.json', key)).toBeUndefined()
  expect(readFileSync(join(folder, 'inputs.json'), 'utf8')).not.toContain('hunter2')
  expect(await secrets.values()).toEqual(['hunter2'])
  expect(await answers.clear('/a/mcp.json', key)).toBe(true)
  expect(await answers.clear('/a/mcp.json', region)).toBe(true)
  expect(await answers.clear('/a/mcp.json', region)).toBe(false)
  expect(await answers.get('/a/mcp.json', key)).toBeUndefined()
})
