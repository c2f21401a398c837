-- The same number, right: each order once before the days are summed.
with per_order as (

    select
        order_id,
        order_date,
        shipping_fee,
        sum(line_amount) as amount
    from {{ ref('order_lines') }}
    group by order_id, order_date, shipping_fee

)

select
    order_date,
    sum(amount) + sum(shipping_fee) as revenue
from per_order
group by order_date
