import { downloadText, showProblem } from '@parley/page/parts'

import { channel } from './channel.ts'

/** Saves a conversation as a file. */
export async function exportChat(id: string, format: 'markdown' | 'json'): Promise<void> {
  try {
    const { name, text } = await channel.ask('conversations/export', { id, format })
    downloadText(name, text, format === 'json' ? 'application/json' : 'text/markdown')
  } catch (error) {
    showProblem(error, 'Not exported')
  }
}
