import BarChart from '@mui/icons-material/BarChartOutlined'
import Build from '@mui/icons-material/BuildOutlined'
import CreditCard from '@mui/icons-material/CreditCardOutlined'
import Dashboard from '@mui/icons-material/DashboardOutlined'
import MonitorHeart from '@mui/icons-material/MonitorHeartOutlined'
import People from '@mui/icons-material/PeopleOutlined'
import Settings from '@mui/icons-material/SettingsOutlined'
import Visibility from '@mui/icons-material/VisibilityOutlined'

export const navIcons: Record<string, typeof Dashboard | undefined> = {
  Dashboard,
  'System Health': MonitorHeart,
  'Customer Management': People,
  'Billing & Subscriptions': CreditCard,
  Monitoring: Visibility,
  'Reports & Analytics': BarChart,
  'Admin Tools': Build,
  System: Settings,
}
