import '@parley/page/styles'
import './chat.css'
import { mountPage } from '@parley/page/theme'

import { App } from './app.tsx'
import { followService } from './store.ts'

followService()

mountPage(
  {
    name: 'chat',
    title: 'Parley Chat',
    newLink: (
      <>
        Press <kbd className="keys">l</kbd> in the terminal of the chat for a new link.
      </>
    ),
  },
  <App />,
)
