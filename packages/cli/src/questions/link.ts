import { linkWarnings } from '@parley/foundation/address'
import type { ElicitURLResult } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'

import { flat } from '../output/printer.ts'
import type { Prompter } from './asker.ts'
import { quoted } from './form.ts'

/** Shows where a server wants the user to go, in full, and goes there only if told to. */
export async function offerLink(
  { url, message }: { readonly url: string; readonly message: string },
  server: string,
  prompter: Prompter,
): Promise<ElicitURLResult> {
  const host = parseUrl(url)?.host ?? 'an invalid URL'
  prompter.say(`\n${flat(server)} asks you to visit ${flat(host)}:\n${quoted(message)}`)
  prompter.say(`  ${flat(url, 4_000)}`)
  for (const warning of linkWarnings(url)) prompter.say(`warning: ${flat(warning)}`)
  const line = await prompter.ask('Open it? [y = yes, n = decline, Enter = cancel] ')
  if (line === undefined || line.trim() === '') return { action: 'cancel' }
  if (!/^y/i.test(line.trim())) return { action: 'decline' }
  const { openBrowser } = await import('@parley/auth/node')
  try {
    await openBrowser(new URL(url))
  } catch {
    prompter.say('No browser could be opened. Open the address yourself if you trust it.')
  }
  return { action: 'accept' }
}
