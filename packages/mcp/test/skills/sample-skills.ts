import type { SkillSource } from '@parley/mcp/skills'

/** A `SKILL.md` with a name, a description and more. */
export function skillText(name: string, more = ''): string {
  return `---\nname: ${name}\ndescription: How to do ${name}\n${more}---\n\n# ${name}\n`
}

/** Not valid as UTF-8, so that it can only travel as bytes. */
export const pixel = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff])

/** Two skills: one with folders, one inside a prefix. */
export const sampleSkills: readonly SkillSource[] = [
  {
    path: 'pdf-processing',
    files: {
      'SKILL.md': skillText(
        'pdf-processing',
        'metadata:\n  version: "2.1"\nallowed-tools: [Read]\n',
      ),
      'templates/invoice.md': '# Invoice',
      'templates/regional/eu invoice.md': () => Promise.resolve('# Facture é'),
      'assets/pixel.png': pixel,
    },
  },
  { path: 'acme/billing/refunds', files: { 'SKILL.md': skillText('refunds') } },
]
