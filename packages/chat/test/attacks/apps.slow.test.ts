import { createScriptedModel } from '@parley/host/models'

import { describeAppAttacks } from '../../../../test-support/app-attacks/describe-app-attacks.ts'
import { canOpen, openPage, send } from '../page/open-page.ts'

describeAppAttacks(
  'a chat',
  canOpen,
  async (url) => {
    const opened = await openPage({
      models: [createScriptedModel(undefined, { announcement: '' })],
      servers: [{ name: 'hostile', target: url }],
    })
    const page = await opened.newPage({ width: 1600, height: 1000 })

    return {
      page,
      async call(tool) {
        await send(page, `call hostile__${tool}`)
        const question = page.getByRole('region', {
          name: `The model wants to run ${tool} of hostile`,
        })
        await question.getByRole('button', { name: 'Allow once' }).click()
      },
      questions: (tool) =>
        page.getByRole('region', { name: `An app of hostile wants to run ${tool} of hostile` }),
      once: 'Allow once',
      refuse: 'Deny',
      rejection: /^The user refused this call\.$/,
      asksFirst: false,
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  },
  { withFrame: false },
)
