import MuiDialog, { type DialogProps } from '@mui/material/Dialog'
import { MuiRoot } from '../theme/MuiRoot.tsx'
import { useMayShow } from './foreground.ts'
import { ToastPlace } from './Toast.tsx'
import { useEscapeFromNowhere } from './use-escape.ts'

type Props = DialogProps & {
  /** Shows even over what must not be disturbed otherwise. */
  isUrgent?: boolean
}

/** MUI's dialog in our theme. Load what uses it on first use. */
export function Dialog({ isUrgent = false, ...props }: Props) {
  const { onClose, children } = props
  const open = useMayShow(props.open, isUrgent)
  useEscapeFromNowhere(open, (event) => onClose?.(event, 'escapeKeyDown'))
  return (
    <MuiRoot>
      <MuiDialog {...props} open={open}>
        {children}
        <ToastPlace />
      </MuiDialog>
    </MuiRoot>
  )
}
