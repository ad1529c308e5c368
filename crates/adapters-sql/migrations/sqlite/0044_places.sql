-- Positions are forgotten once nobody may go on behind them any more; the changes of status themselves stay.
DROP TRIGGER transition_places_are_never_deleted;
