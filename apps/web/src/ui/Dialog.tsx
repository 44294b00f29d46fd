import MuiDialog, { type DialogProps } from '@mui/material/Dialog'
import { MuiRoot } from '../theme/MuiRoot.tsx'
import { useMayShow } from './foreground.ts'
import { ToastPlace } from './Toast.tsx'
import { useEscapeFromNowhere } from './use-escape.ts'

type Props = DialogProps & {
  /** Shows even over what must not be disturbed otherwise. */
  isUrgent?: boolean
}

/** The first click was on what is gone with it, such as an item of a menu that reached over the edge. */
const isSecondOfDouble = (event: object): boolean => 'detail' in event && Number(event.detail) > 1

/** MUI's dialog in our theme. Load what uses it on first use. */
export function Dialog({ isUrgent = false, ...props }: Props) {
  const { onClose, children } = props
  const open = useMayShow(props.open, isUrgent)
  useEscapeFromNowhere(open, (event) => onClose?.(event, 'escapeKeyDown'))
  const handleClose: Props['onClose'] = (event, reason) => {
    if (reason !== 'backdropClick' || !isSecondOfDouble(event)) onClose?.(event, reason)
  }
  return (
    <MuiRoot>
      <MuiDialog {...props} open={open} onClose={handleClose}>
        {children}
        <ToastPlace />
      </MuiDialog>
    </MuiRoot>
  )
}
