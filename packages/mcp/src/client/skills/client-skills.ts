import type { Extension } from '../../schema/capabilities.ts'
import { skillsExtension } from '../../schema/skills/skill.ts'

/** Tells servers that this client uses skills. */
export function clientSkills(): Extension<never> {
  return { id: skillsExtension }
}
