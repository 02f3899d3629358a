/** `import '@parley/page/styles'` first in a page: the styles of all components. */

import './inter.css'
import './core.css'
import '@mantine/notifications/styles.layer.css'
import './styles.css'
import '../shell/shell.css'
