export type {
  CatalogueChoice,
  CatalogueEntry,
  CatalogueFound,
  CatalogueItem,
  CataloguePlan,
  CatalogueQuestion,
  RejectedPlan,
} from './catalogue.ts'
