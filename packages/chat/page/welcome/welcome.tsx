import { Button } from '@mantine/core'
import { showProblem } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { thingsToTry } from '../../src/core/things-to-try.ts'
import { channel } from '../channel.ts'
import { changeDraft } from '../composer/draft.ts'
import { Browse } from '../servers/browse.tsx'
import { useStore } from '../store.ts'
import { AddServers } from './add-servers.tsx'
import { PickFolder } from './pick-folder.tsx'
import { PickModel } from './pick-model.tsx'

/** The first run: servers, a folder, a model, and something to try. Every step can be left out. */
export function Welcome(): ReactElement {
  const servers = useStore((store) => store.servers)
  const canBrowse = useStore((store) => store.canBrowse)
  const model = useStore((store) => store.models[0]) ?? 'scripted'

  async function start(text = '') {
    await channel
      .ask('setup/finish', {})
      .catch((error: unknown) => showProblem(error, 'This was not kept: the welcome comes again'))
    changeDraft({ text })
    useStore.setState({ isFirstRun: false })
  }

  return (
    <div className="welcome" role="region" aria-label="First steps" tabIndex={0}>
      <p className="lead">
        Talk to a language model that can use your MCP servers. You are asked before each call, and
        nothing runs without your yes. Every step below can be left out, and done later.
      </p>
      <section aria-labelledby="welcome-servers">
        <h2 id="welcome-servers">1. Servers</h2>
        <AddServers />
        {canBrowse && (
          <div className="row wrap-row">
            <span className="quiet">Or find one in a registry:</span>
            <Browse />
          </div>
        )}
      </section>
      <section aria-labelledby="welcome-folder">
        <h2 id="welcome-folder">2. Folder to work in</h2>
        <p className="quiet">
          Servers are told that you work here. That guides them; it does not confine them.
        </p>
        <PickFolder />
      </section>
      <section aria-labelledby="welcome-model">
        <h2 id="welcome-model">3. Model</h2>
        <PickModel current={model} />
      </section>
      <section aria-labelledby="welcome-try">
        <h2 id="welcome-try">4. Three things to try</h2>
        <ul className="welcome-tries">
          {thingsToTry(servers, model).map(({ title, text }) => (
            <li key={title}>
              <Button variant="default" onClick={() => void start(text)}>
                {title}
              </Button>
              <code className="code-inline wrap">{text}</code>
            </li>
          ))}
        </ul>
      </section>
      <div className="row">
        <Button onClick={() => void start()}>Start a conversation</Button>
      </div>
    </div>
  )
}
