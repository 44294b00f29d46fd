import Alert from '@mui/material/Alert'
import { paths } from '../../lib/paths.ts'
import css from './schedules.module.css'

export function NoMailServer() {
  return (
    <Alert severity="warning" className={css['warning']}>
      Nothing is sent: there is no mail server. Set it under <a href={paths.config}>System Config</a>.
    </Alert>
  )
}
