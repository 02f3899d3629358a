import { hasInvisible } from '@parley/foundation/text-safety'

/** Why a text is no version that can be published or installed; undefined if it is one. */
export function findVersionProblem(version: string): string | undefined {
  if (version === 'latest') return '"latest" is reserved: use a specific version, such as 1.0.0'
  if (hasInvisible(version)) return 'it contains invisible characters'
  if (version.trim() !== version) return 'it begins or ends with a space'
  if (/^\.{1,2}$/.test(version)) return 'it is a part of a path: use a version such as 1.0.0'
  if (isRange(version)) return 'it is a range: use a specific version, such as 1.0.0'
  return undefined
}

function isRange(version: string): boolean {
  return (
    /^[\^~=<>]/.test(version) ||
    /\|\|/.test(version) ||
    /\S\s+-\s+\S/.test(version) ||
    version === '*' ||
    /^v?\d+(?:\.\d+)*\.[xX*](?:\.|$)/.test(version) ||
    /^[xX*](?:\.[xX*\d]+)+$/.test(version)
  )
}
