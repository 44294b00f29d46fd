import MuiDrawer, { type DrawerProps } from '@mui/material/Drawer'
import { MuiRoot } from '../theme/MuiRoot.tsx'

/** MUI's drawer in our theme. Load what uses it on first use. */
export function Drawer(props: DrawerProps) {
  return (
    <MuiRoot>
      <MuiDrawer {...props} />
    </MuiRoot>
  )
}
