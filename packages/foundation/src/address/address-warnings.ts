import { parseUrl } from '@parley/mcp/address'

import { decodeLabel } from './punycode.ts'
import { mixedScripts } from './scripts.ts'

/** Longer names of hosts do not exist; what is longer is not looked into. */
const maxHostLength = 253

/**
 * What a person should know before going to an address that somebody else chose: letters beyond ASCII in the host, words
 * that mix scripts, a name before `@`. One sentence each; none for an ordinary address. Letters of the address may stand
 * in them: show them as text of a stranger.
 */
export function addressWarnings(url: string): readonly string[] {
  const parsed = parseUrl(url)
  if (parsed === undefined) return []
  const { hostname, host, username } = parsed
  const labels = hostname.length > maxHostLength ? [] : hostname.split('.')
  const words = labels.map((label) => ({ label, word: decodeLabel(label) }))
  return [
    ...encodedWarning(hostname, words),
    ...words.flatMap(({ word }) => (word === undefined ? [] : mixedWarning(word))),
    ...(username === ''
      ? []
      : [`The part before "@" is a user name: the address leads to ${host}.`]),
  ]
}

function encodedWarning(
  hostname: string,
  words: readonly { readonly label: string; readonly word: string | undefined }[],
): readonly string[] {
  if (!words.some(({ label }) => label.startsWith('xn--'))) return []
  const broken = words.find(({ word }) => word === undefined)
  if (broken !== undefined) {
    return [`The host ${hostname} is written in Punycode, and "${broken.label}" cannot be decoded.`]
  }
  const readable = words.map(({ word }) => word).join('.')
  return [
    `The host ${hostname} is written in Punycode and reads "${readable}": letters of other scripts can look like those of a name you know.`,
  ]
}

function mixedWarning(word: string): readonly string[] {
  const scripts = mixedScripts(word)
  if (scripts.length === 0) return []
  return [
    `"${word}" in the host mixes letters of ${scripts.join(' and ')}, as imitations of other names do.`,
  ]
}
