import { serverSkills } from '@parley/mcp/skills'

const instructions = `---
name: test-a-client
description: How to test a client with the everything server
---

# Test a client

1. List tools, prompts and resources; compare them with references/LIST.md.
2. Call \`echo\`, then \`trigger-long-running-operation\` with a progress token, and cancel it.
3. Call the tools that ask: \`trigger-elicitation-request\`, \`trigger-sampling-request\`, \`get-roots-list\`.
`

const list = `# What is there

Tools are named in the documentation of the everything server. Every positive integer is a resource at
demo://resource/dynamic/text/{resourceId}.
`

/** One skill, with a file that its instructions mention. */
export const skills = serverSkills({
  cache: { ttlMs: 3_600_000, scope: 'public' },
  skills: [
    {
      path: 'testing/test-a-client',
      files: { 'SKILL.md': instructions, 'references/LIST.md': list },
    },
  ],
})
