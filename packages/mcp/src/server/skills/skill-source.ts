import { isSkillName } from '../../schema/skills/frontmatter.ts'

/** A skill as its author defines it. */
export interface SkillSource {
  /** Below `skill://`; its last part is the name of the skill. */
  readonly path: string
  /** Files by path relative to the skill, with `SKILL.md`. A function is called whenever its contents are needed. */
  readonly files: { readonly [path: string]: SkillContents | (() => Promise<SkillContents>) }
}

/** Text, or the bytes of anything else. */
export type SkillContents = string | Uint8Array

/** The URI of a skill's folder; undefined for a path that leaves `skill://` or has no valid name at its end. */
export function rootUri(path: string): string | undefined {
  const parts = path.split('/')
  const isSafe = parts.every((part) => /^[A-Za-z0-9._~-]+$/.test(part) && !isDots(part))
  return isSafe && isSkillName(parts.at(-1) ?? '') ? `skill://${path}` : undefined
}

/** The URI of a file in a folder; undefined for a path that leaves the folder or could be read in two ways. */
export function fileUri(root: string, path: string): string | undefined {
  const parts = path.split('/')
  if (!parts.every(isSafePart)) return undefined
  return `${root}/${parts.map(encodeURIComponent).join('/')}`
}

/** Some systems read a backslash as a slash; control characters are invisible; a lone surrogate is not a character. */
function isSafePart(part: string): boolean {
  return part !== '' && !isDots(part) && !/[\\\p{Cc}\p{Cs}]/u.test(part)
}

function isDots(part: string): boolean {
  return part === '.' || part === '..'
}
