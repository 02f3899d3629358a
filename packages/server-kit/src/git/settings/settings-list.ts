import type { Setting } from './environment.ts'

/** Takes the output of `git config --list -z` apart. */
export function parseSettings(text: string): readonly Setting[] {
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map(parseSetting)
}

/** Takes one entry of such a list apart. A key without a value means yes. */
export function parseSetting(entry: string): Setting {
  const end = entry.indexOf('\n')
  return end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)]
}
