import { readFileSync, rmSync } from 'node:fs'

import { createChatSetup } from '@parley/chat'
import { readTrace } from '@parley/foundation/trace'
import type { HostServer } from '@parley/host'
import { createScriptedModel } from '@parley/host/models'
import { expect, onTestFinished, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { createTerminalSession } from '../../src/terminal/session.ts'
import { openTalk } from '../talking.ts'
import { createPlan, createWorkshop, inProcess } from '../workshop.ts'
import { textOf } from './texts.ts'

/** Somebody at the terminal of a real chat. */
async function sitDown(servers: readonly HostServer[]) {
  const cwd = folderWith({ 'work/note.txt': '' })
  const chat = await openTalk({
    servers,
    models: [createScriptedModel(undefined, { announcement: '' })],
  })
  const setup = createChatSetup(chat, {
    file: `${cwd}/settings.json`,
    load: async () => ({ entries: [], problems: [], files: [] }),
    toServer: ({ name }) => inProcess(name, createWorkshop()),
    openModel: () => createScriptedModel(),
    env: {},
    findLocal: async () => [],
  })
  await setup.finish()
  const session = createTerminalSession(chat, { cwd, setup })
  onTestFinished(() => session[Symbol.dispose]())
  const written = () => textOf(session.state.written)
  const sees = (text: string | RegExp) =>
    vi.waitFor(() => expect(written()).toMatch(new RegExp(text)), 30_000)
  const enter = (text: string): void => {
    session.press({ kind: 'text', text })
    session.press({ kind: 'key', name: 'enter' })
  }
  const press = (text: string): void => session.press({ kind: 'text', text })
  const idle = () => vi.waitFor(() => expect(session.state.turn).toBe('none'), 30_000)
  const asked = () => vi.waitFor(() => expect(session.state.sheet).toBeDefined(), 30_000)
  return { chat, cwd, written, sees, enter, press, idle, asked }
}

test('/trace lists what was sent with its outcome, shows one whole, and writes all of it to a file [OBS-08]', async () => {
  const { sees, enter, press, idle, asked, written, cwd } = await sitDown([
    inProcess('workshop', createWorkshop()),
  ])
  enter('call workshop__echo {"text": "hi \\u001b[2J", "password": "hunter2hunter2"}')
  await asked()
  press('y')
  await idle()

  enter('/trace')
  await sees(/→ workshop tools\/call echo {2}\S+/)
  const [, number = ''] = /(\d+) → workshop tools\/call echo/.exec(written()) ?? []
  enter(`/trace ${number}`)
  await sees('"method": "tools/call"')
  await sees('"text": "You said: hi')
  const whole = written().slice(written().indexOf(`/trace ${number}`))
  expect(whole).not.toContain('hunter2hunter2')
  expect(whole).not.toContain('\u001b')

  enter('/trace 99999')
  await sees('there is no request 99999: /trace lists them')
  enter('/trace wrkshop')
  await sees('there is no server wrkshop')
  enter('/trace save all.jsonl')
  await sees(/\d+ records, secrets masked, are in .*all\.jsonl/)
  enter('/trace save all.jsonl')
  await sees('is there already: name another file')
  const { records, problems } = readTrace(readFileSync(`${cwd}/all.jsonl`, 'utf8'))
  expect(problems).toEqual([])
  expect(records.some(({ seq }) => seq === Number(number))).toBe(true)
  expect(JSON.stringify(records)).not.toContain('hunter2hunter2')
})

test('what was attached and has changed is told; /attached shows how, attaches it again, forgets it [RUI-06]', async () => {
  const { server, change } = createPlan()
  const { chat, sees, enter, idle, written } = await sitDown([inProcess('plans', server)])
  enter('/attached')
  await sees('nothing was attached since the chat began')
  enter('/resources plans plan://week')
  enter('Read it.')
  await idle()
  const [summary] = await chat.conversations.list()
  const id = summary?.id ?? ''
  await vi.waitFor(() => expect(chat.host.attached(id)[0]?.isFollowed).toBe(true), 10_000)

  change('Monday: rest.\nTuesday: rest.')

  await sees('1 plan://week of plans {2}changed since you attached it')
  enter('/attached 1')
  await sees('- Monday: write.\n\\+ Monday: rest.\n {2}Tuesday: rest.')
  enter('/attached again 1')
  enter('And now?')
  await idle()
  enter('/attached')
  await sees('the same as when you attached it')
  enter('/attached forget 1')
  await sees('is no longer tracked')
  expect(chat.host.attached(id)).toEqual([])
  enter('/attached 1')
  await sees('write a number of the list')
  expect(written()).not.toContain('undefined')
})

test('/folders marks a folder that vanished [ROOTUI-03]', async () => {
  const { sees, enter, cwd } = await sitDown([])
  enter('/folders work')
  await sees('servers now know')
  rmSync(`${cwd}/work`, { recursive: true })

  enter('/folders')

  await sees(`there is no folder ${cwd}/work`)
})

test('/accounts lists what was granted, and signs out with what the issuer did not do [AUI-02]', async () => {
  let isSignedIn = true
  const server: HostServer = {
    ...inProcess('mail', createWorkshop()),
    account: {
      grants: async () =>
        isSignedIn
          ? [{ issuer: 'https://id.example', scopes: ['read', 'send'], canRefresh: true }]
          : [],
      signOut: async () => {
        isSignedIn = false
        return ['https://id.example does not support revoking tokens.']
      },
    },
  }
  const { sees, enter } = await sitDown([server])

  enter('/accounts')
  await sees('mail {2}by https://id.example: read send')
  enter('/accounts out mial')
  await sees('there is no server "mial"')
  enter('/accounts out')
  await sees('write /accounts, or /accounts out SERVER')
  enter('/accounts out mail')
  await sees('signed out of mail\nhttps://id.example does not support revoking tokens.')
  enter('/accounts')
  await sees('you are not signed in to any server')
})
