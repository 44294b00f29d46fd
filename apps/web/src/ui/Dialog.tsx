import MuiDialog, { type DialogProps } from '@mui/material/Dialog'
import { MuiRoot } from '../theme/MuiRoot.tsx'

/** MUI's dialog in our theme. Load what uses it on first use. */
export function Dialog(props: DialogProps) {
  return (
    <MuiRoot>
      <MuiDialog {...props} />
    </MuiRoot>
  )
}
