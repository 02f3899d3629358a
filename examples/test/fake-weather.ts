/** Answers like the weather service, for one place and two states. */
export async function fakeWeather(input: string | URL | Request): Promise<Response> {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  const path = `${pathname}${search}`
  if (path === '/alerts/active?area=CA') return Response.json({ features: [heat] })
  if (path === '/alerts/active?area=NV') return Response.json({ features: [] })
  if (path === '/points/38.5800,-121.4900') return Response.json({ properties: { forecast } })
  if (path === '/points/1.0000,1.0000')
    return Response.json({ properties: { forecast: elsewhere } })
  if (path === '/gridpoints/STO/41,68/forecast') return Response.json({ properties: { periods } })
  return new Response('{}', { status: 404 })
}

const forecast = 'https://api.weather.gov/gridpoints/STO/41,68/forecast'
const elsewhere = 'https://intranet.test/secrets'

const heat = {
  properties: {
    event: 'Heat Advisory',
    areaDesc: 'Sacramento Valley',
    severity: 'Moderate',
    headline: 'Heat Advisory until 8 PM',
  },
}

const periods = ['Tonight', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map(
  (name, index) => ({
    name,
    temperature: 60 + index,
    temperatureUnit: 'F',
    windSpeed: '5 mph',
    shortForecast: 'Clear',
    icon: 'https://api.weather.gov/icons/clear',
  }),
)
