import MuiDialog, { type DialogProps } from '@mui/material/Dialog'
import { MuiRoot } from '../theme/MuiRoot.tsx'
import { ToastPlace } from './Toast.tsx'
import { useEscapeFromNowhere } from './use-escape.ts'

/** MUI's dialog in our theme. Load what uses it on first use. */
export function Dialog(props: DialogProps) {
  const { onClose, children } = props
  useEscapeFromNowhere(props.open, (event) => onClose?.(event, 'escapeKeyDown'))
  return (
    <MuiRoot>
      <MuiDialog {...props}>
        {children}
        <ToastPlace />
      </MuiDialog>
    </MuiRoot>
  )
}
