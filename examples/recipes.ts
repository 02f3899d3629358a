/** Recipes: resources by cuisine, and a prompt that plans meals with a completed argument and the recipes in it. */

import { createServer, message, type Server } from '@parley/mcp/server'
import { z } from 'zod'

/** Recipes as markdown, by their cuisine. */
export type Recipes = Readonly<Record<string, string>>

const uriOf = (cuisine: string) => `file://recipes/${encodeURIComponent(cuisine)}`

export function createRecipeServer(recipes: Recipes): Server {
  const server = createServer({ name: 'favorite-recipes', version: '1.0.0' })
  const cuisines = Object.keys(recipes)
  const find = (cuisine: string) => (Object.hasOwn(recipes, cuisine) ? recipes[cuisine] : undefined)
  const complete = {
    cuisine: (typed: string) =>
      cuisines.filter((cuisine) => cuisine.startsWith(typed.toLowerCase())),
  }

  server.resource(
    'file://recipes/{cuisine}',
    {
      name: 'recipes',
      title: 'Recipes by cuisine',
      mimeType: 'text/markdown',
      list: () => cuisines.map((cuisine) => ({ uri: uriOf(cuisine), name: `${cuisine} recipes` })),
      complete,
    },
    ({ cuisine }) => find(cuisine),
  )

  server.prompt(
    'weekly-meal-planner',
    {
      title: 'Weekly meal planner',
      description: 'A plan for the week, and a shopping list, from the recipes of one cuisine',
      argumentsSchema: z.object({ cuisine: z.string().describe('Which recipes to plan with') }),
      complete,
    },
    ({ cuisine }) => {
      const text = find(cuisine)
      if (text === undefined) return `Say that there are no recipes for ${cuisine}.`
      return {
        messages: [
          message(
            'user',
            `Plan meals for a week from these ${cuisine} recipes, with a shopping list.`,
          ),
          message('user', {
            type: 'resource',
            resource: { uri: uriOf(cuisine), mimeType: 'text/markdown', text },
          }),
        ],
      }
    },
  )

  return server
}
