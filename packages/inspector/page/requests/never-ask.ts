import { showProblem } from '@parley/page/parts'

import { openChannel } from '../channel.ts'
import { useStore } from '../store.ts'

/** From now on every form and link of a server is declined; the rule stands among the others, and can be taken away. */
export async function neverAsk(server: string): Promise<void> {
  const rule = {
    id: crypto.randomUUID().slice(0, 8),
    kind: 'elicitation',
    server,
    answer: { action: 'decline' },
    enabled: true,
  } as const
  try {
    const rules = [rule, ...useStore.getState().rules]
    useStore.setState({ rules: await openChannel().ask('rules/save', { rules }) })
  } catch (error) {
    showProblem(error, 'The rule was not saved')
  }
}
