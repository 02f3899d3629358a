import { createScriptedModel } from '@parley/host/models'
import { createServer } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { seriousFindings } from '../../../../test-support/axe.ts'
import { walkThrough } from '../../../../test-support/page-walk.ts'
import { createWorkshop, inProcess } from '../workshop.ts'
import { canOpen, openPage, send } from './open-page.ts'

const answer = `## What grew

| package | lines | since 1.4 |
| --- | --: | --: |
| gateway | 48,210 | +12 % |
| registry | 21,900 | +31 % |

- [x] counted the lines of every package
- [ ] looked at the tests

\`\`\`ts
// The registry grew most.
const grown = packages.filter(({ since }) => since > 0.3)
console.log('grown', grown.length)
\`\`\`
`

function createReleases() {
  const server = createServer({ name: 'releases', version: '1.0.0' })
  server.tool('list_tags', { annotations: { readOnlyHint: true } }, () => 'v1.4, v1.5')
  server.tool('send_mail', { annotations: { openWorldHint: true } }, () => 'sent')
  server.tool('delete_tag', { annotations: { destructiveHint: true } }, () => 'deleted')
  return server
}

describe.skipIf(!canOpen)('every view of the chat', () => {
  test('only panes scroll, no text is tiny or cut, and nothing keeps people out, light, dark or narrow', async () => {
    await using opened = await openPage({
      models: [
        createScriptedModel(
          ({ messages }) => {
            const last = messages.at(-1)
            const said = JSON.stringify(last)
            if (last?.role === 'tool') return { text: answer }
            if (said.includes('three')) {
              return {
                calls: ['list_tags', 'send_mail', 'delete_tag'].map((name) => ({
                  name: `releases__${name}`,
                  arguments: { since: '1.4' },
                })),
              }
            }
            return { calls: [{ name: 'workshop__echo', arguments: { text: 'hi' } }] }
          },
          { announcement: '' },
        ),
      ],
      servers: [
        inProcess('workshop', createWorkshop()),
        inProcess('releases', createReleases()),
        { name: 'mail', target: 'http://127.0.0.1:9/mcp' },
      ],
      setup: {
        load: async () => ({ entries: [], problems: [], files: [] }),
        toServer: () => expect.fail('nothing was found'),
        openModel: () => expect.fail('no model was chosen'),
        findLocal: async () => [],
      },
    })
    const page = await opened.newPage({ width: 1440, height: 900 })
    const walk = walkThrough(page, 'chat')
    const { keyboard } = page
    const field = page.getByRole('combobox', { name: 'Message' })
    await page.getByRole('navigation').getByText('failed').waitFor()

    // Start: the cursor is in the field.
    expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('Message')
    await walk.look('start', 'large and small')
    await page.getByRole('button', { name: 'Choose model' }).click()
    await page.getByRole('radio', { name: 'Another one' }).waitFor()
    await walk.look('start-model')
    await page.getByRole('button', { name: 'Hide this list' }).click()

    // The list of resources floats.
    await field.pressSequentially('@')
    await page.getByRole('option').first().waitFor()
    await walk.look('start-at')
    await field.fill('')
    await keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('echo')
    await walk.look('palette')
    await keyboard.press('Escape')
    await keyboard.press('Control+,')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Tools of workshop' }).click()
    await page.getByRole('button', { name: 'Add server' }).click()
    await walk.look('settings')
    await keyboard.press('Escape')
    await field.waitFor()

    // One call, its card, the panels beside and below.
    await send(page, 'Say hi.')
    await page.getByRole('button', { name: 'Allow once' }).waitFor()
    await walk.look('consent-one', 'large and small')
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByText('What grew').waitFor()
    await walk.look('thread')
    await page.getByRole('region', { name: 'Call of echo' }).getByRole('button').first().click()
    await page.getByRole('region', { name: 'Steps of the call' }).waitFor()
    await walk.look('call-open', 'large and small')
    await page.getByRole('button', { name: /^Context: / }).click()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByRole('region', { name: 'Calls of the newest turn' }).waitFor()
    await walk.look('context')
    await page.getByRole('button', { name: /^Context: / }).click()
    await page.getByRole('button', { name: 'Show the messages of this server' }).click()
    await page.getByRole('region', { name: 'Trace', exact: true }).waitFor()
    await walk.look('messages')
    await page.getByRole('button', { name: 'More for this chat' }).click()
    await page.getByRole('menuitem', { name: 'Hide the messages of servers' }).click()

    // Several calls, with the menu of answers, and the message in other words.
    await send(page, 'Do all three.')
    await page.getByRole('button', { name: 'Deny all' }).waitFor()
    const sheet = page.getByRole('region', { name: 'The model wants to run 3 tools' })
    await walk.look('consent-three')
    await page.getByRole('button', { name: 'More ways to answer' }).click()
    await page
      .getByRole('menuitem', { name: /^Always allow/ })
      .first()
      .waitFor()
    await walk.look('consent-menu')
    // Where the sheet is scrolled out of sight the menu has gone, and Escape would be an answer.
    if (await page.getByRole('menu').isVisible()) await keyboard.press('Escape')
    await sheet.getByRole('button', { name: 'Deny all' }).click()
    await page.getByRole('button', { name: 'Edit the message' }).last().click()
    await page.getByRole('textbox', { name: 'Edit the message' }).waitFor()
    await walk.look('edit')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'Open the side bar' }).click()
    await page.getByRole('navigation').getByText('workshop').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(opened.complaints).toEqual([])
  })
})
