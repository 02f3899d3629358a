import '@parley/page/styles'
import './gateway.css'
import { mountPage } from '@parley/page/theme'

import { App } from './app.tsx'
import { followService } from './store.ts'
import { mirrorAddress } from './view.ts'

followService()
mirrorAddress()

mountPage(
  {
    name: 'gateway',
    title: 'Parley Gateway',
    newLink: (
      <>
        Get a new link: <code className="code-inline">parley gateway page FILE</code>
      </>
    ),
  },
  <App />,
)
