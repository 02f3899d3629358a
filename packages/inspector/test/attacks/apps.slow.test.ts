import { describeAppAttacks } from '../../../../test-support/app-attacks/describe-app-attacks.ts'
import { canOpen, openInspector, openTool } from '../page/open-inspector.ts'

describeAppAttacks(
  'the Inspector',
  canOpen,
  async (url) => {
    const inspector = await openInspector({
      servers: [{ name: 'hostile', entry: { url }, connect: true }],
    })
    const page = await inspector.newPage({ width: 1600, height: 1000 })

    return {
      page,
      async call(tool) {
        await openTool(page, tool)
        await page.locator('[data-run]').click()
      },
      questions: (tool) =>
        page.getByRole('group', { name: `The app wants to call ${tool}`, exact: true }),
      once: 'Call once',
      refuse: 'Refuse',
      rejection: /^Tool call denied by user$/,
      asksFirst: true,
      [Symbol.asyncDispose]: () => inspector[Symbol.asyncDispose](),
    }
  },
  { withFrame: true },
)
